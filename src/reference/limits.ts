import { MAX_BODY_VALUES, MAX_FIELD_NAME } from '../async/parse-json.js';
import { MAX_MEMBERS } from '../auth/members/record-member.js';
import { IDLE_MS, MAX_SESSION_MS } from '../auth/session-expiry.js';
import { formatCount } from '../cli/shared/format.js';
import { variableGroups } from '../config/environment.js';
import { aboutOf } from '../config/variables/group.js';
import { MAX_BODY_MEMORY_BYTES } from '../http/app.js';
import { FREE_CHUNKS, MAX_SMALL_CHUNKS, MIN_CHUNK_BYTES } from '../http/connections/body-chunks.js';
import { MAX_BATCH_SIZE } from '../http/request/trpc-batch-size.js';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_UNREAD_BYTES,
} from '../http/server.js';
import { MAX_ATTEMPTS } from '../ingestion/jobs/run-job.js';
import {
  BASE_CHARACTERS,
  BASE_CHUNKS,
  BASE_CPU_MS,
  CHARACTERS_PER_BYTE,
  CHARACTERS_PER_CHUNK,
  PROCESSOR_MS_PER_MIB,
  SMALL_FILE_BYTES,
} from '../ingestion/limits/file-limits.js';
import { MAX_COUNTED_CHUNKS, MAX_PREVIEW_BYTES } from '../ingestion/preview/preview-limits.js';
import { MAX_FILES } from '../ingestion/sitemap/read-sitemap.js';
import { MAX_FILE_BYTES } from '../ingestion/sitemap/sandbox-limits.js';
import { MAX_ARGUMENT_VALUES, MAX_MESSAGE_TEXT, MAX_MESSAGE_VALUES } from '../mcp/message-limits.js';
import { CONCURRENT_CALLS } from '../routers/batch.js';
import { MAX_ANALYZED_CHARACTERS, MAX_QUERY_TERMS } from '../search/ranking/query-terms.js';
import { MAX_RERANKED } from '../search/reranking/with-reranking.js';
import { MAX_RULES_OF_SEARCH } from '../search/synonyms/create-synonyms.js';
import { MAX_ADDED } from '../search/synonyms/with-synonyms.js';
import { MAX_CHUNK_LENGTH, MAX_KEYWORDS } from '../services/chunks/chunks.schema.js';
import { MAX_BULK_STEP } from '../services/conversations/bulk.schema.js';
import { MAX_CHUNK_SIZE, MAX_SEPARATORS, MIN_CHUNK_SIZE } from '../services/documents/chunking.schema.js';
import { MAX_CONTENT_LENGTH } from '../services/documents/documents.schema.js';
import { MAX_DESCRIBED, MAX_URLS } from '../services/documents/processing.schema.js';
import { MAX_COLLECTIONS, MAX_QUESTIONS } from '../services/evaluations/evaluations.schema.js';
import { MAX_UNCLAIMED } from '../services/files/files.js';
import { MAX_LABELS, MAX_LABELS_OF_CONVERSATION } from '../services/labels/labels.schema.js';
import { MAX_CONTEXT_CHARACTERS, MAX_CONTEXT_CHUNKS } from '../services/search/context.schema.js';
import {
  MAX_FILTER_DEPTH,
  MAX_FILTER_PARTS,
  MAX_FILTER_VALUE_LENGTH,
  MAX_FILTER_VALUES,
} from '../services/search/filter.schema.js';
import { MAX_QUERY_LENGTH } from '../services/search/search.schema.js';
import { MAX_WAIT_SECONDS } from '../services/search/wait-until-searchable.schema.js';
import { MAX_SESSIONS_PER_KEY } from '../services/sessions/sessions.js';
import { MAX_SESSIONS_PER_USER } from '../services/sessions/user-sessions.js';
import { MAX_IDENTIFIER_BYTES } from '../services/shared/fields.schema.js';
import { IDEMPOTENCY_RETENTION_MS } from '../services/shared/idempotency.js';
import { MAX_JSON_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../services/shared/json-limits.js';
import { MAX_PAGE_BYTES } from '../services/shared/page-bytes.js';
import {
  MAX_RULES,
  MAX_TERM_LENGTH,
  MAX_TERM_WORDS,
  MAX_TERMS,
} from '../services/synonyms/synonyms.schema.js';
import { MAX_WEBHOOKS } from '../services/webhooks/webhooks.js';
import { DELIVERY_TIMEOUT_MS } from '../webhook-delivery/send.js';
import { defaultOf, withCode } from './configuration.js';
import { code, formatPage, section, table } from './markdown.js';

/** Variables that limit something. */
const CONFIGURABLE = /^(MAX_|QUOTA_|RATE_LIMIT_(?!STORE))|_TIMEOUT_|_CONNECTIONS$|_CONCURRENCY$|_MEMORY_/;

const days = (ms: number) => `${ms / 86_400_000} days`;
const hours = (ms: number) => `${ms / 3_600_000} hours`;
const size = (bytes: number) => (bytes < 2 ** 20 ? `${bytes / 1024} KiB` : `${bytes / 2 ** 20} MiB`);
const seconds = (ms: number) => `${ms / 1_000} s`;

const fixed: Record<string, [what: string, limit: string, beyond: string][]> = {
  Requests: [
    ['Address and headers', size(MAX_HEADER_BYTES), '431'],
    ['Headers of a request', String(MAX_HEADERS), '431'],
    ['Time to receive the headers', seconds(HEADERS_TIMEOUT_MS), '408'],
    [
      'Idle time of a connection between two requests',
      seconds(KEEP_ALIVE_TIMEOUT_MS),
      'the connection is closed',
    ],
    ['Values in a JSON body', formatCount(MAX_BODY_VALUES), '422'],
    ['Name of a field in it', `${formatCount(MAX_FIELD_NAME)} characters`, '422'],
    [
      'Values in a message of MCP',
      `${formatCount(MAX_ARGUMENT_VALUES)} in \`arguments\`, ${MAX_MESSAGE_VALUES} besides, of ${formatCount(MAX_MESSAGE_TEXT)} characters`,
      '400',
    ],
    [
      'Chunks of a body (`Transfer-Encoding: chunked`)',
      `${formatCount(FREE_CHUNKS)}, or more of at least ${MIN_CHUNK_BYTES} bytes; of smaller ones ${formatCount(MAX_SMALL_CHUNKS)} a second in all bodies`,
      '413',
    ],
    ['Free-form object, such as `customProperties`', size(MAX_JSON_BYTES), '422'],
    ['Values in it, and depth', `${formatCount(MAX_JSON_VALUES)}, ${MAX_JSON_DEPTH} levels`, '422'],
    ['Id', `${MAX_IDENTIFIER_BYTES} bytes`, '422'],
    ['Page of several records', size(MAX_PAGE_BYTES), '422 that names the page size'],
    [
      'JSON bodies and form fields that a process reads or handles at a time',
      `${size(MAX_BODY_MEMORY_BYTES)}, half of it for one tenant`,
      '503',
    ],
    [
      'Answers of a process that clients have not read',
      size(MAX_UNREAD_BYTES),
      'the server closes connections of the tenant with the most',
    ],
    ['Calls in a tRPC batch', `${MAX_BATCH_SIZE}, ${CONCURRENT_CALLS} at a time`, '400'],
    ['All answers of a tRPC batch', size(MAX_PAGE_BYTES), '422 for the remaining calls'],
    ['Lifetime of an `Idempotency-Key`', hours(IDEMPOTENCY_RETENTION_MS), 'it is forgotten'],
    ['`Prefer: wait`', `${MAX_WAIT_SECONDS} s`, 'it waits no longer'],
  ],
  Conversations: [
    ['Labels of a tenant', String(MAX_LABELS), '409'],
    ['Labels of a conversation', String(MAX_LABELS_OF_CONVERSATION), '409'],
    ['Conversations of a step of a bulk change', String(MAX_BULK_STEP), '422'],
  ],
  Search: [
    ['Question', `${formatCount(MAX_QUERY_LENGTH)} characters`, '422'],
    [
      'Analyzed part of a question',
      `${formatCount(MAX_ANALYZED_CHARACTERS)} characters`,
      'the rest is ignored',
    ],
    ['Terms of a question', String(MAX_QUERY_TERMS), 'the rest is ignored'],
    [
      'Filter',
      `${MAX_FILTER_DEPTH} levels, ${MAX_FILTER_PARTS} parts, ${MAX_FILTER_VALUES} values of ${formatCount(MAX_FILTER_VALUE_LENGTH)} characters`,
      '422',
    ],
    ['Reranked candidates', String(MAX_RERANKED), 'the rest keeps its order'],
    [
      'Context on each side of a hit',
      `${MAX_CONTEXT_CHUNKS} chunks or ${formatCount(MAX_CONTEXT_CHARACTERS)} characters`,
      '422',
    ],
    ['Collections of questions in a unit', String(MAX_COLLECTIONS), '409'],
    ['Questions of a collection', String(MAX_QUESTIONS), '409'],
    ['Synonym rules of a unit', formatCount(MAX_RULES), '409'],
    ['Terms of a synonym rule', String(MAX_TERMS), '422'],
    ['Term of a synonym rule', `${MAX_TERM_LENGTH} characters, ${MAX_TERM_WORDS} words`, '422'],
    ['Terms that synonyms add to a question', String(MAX_ADDED), 'the rest is ignored'],
    [
      'Synonym rules that a search of several units uses',
      formatCount(MAX_RULES_OF_SEARCH),
      'the newest are ignored',
    ],
  ],
  Documents: [
    ['Inline text', `${formatCount(MAX_CONTENT_LENGTH)} characters, within \`MAX_JSON_BYTES\``, '422, 413'],
    ['Chunk size', `${MIN_CHUNK_SIZE} to ${formatCount(MAX_CHUNK_SIZE)} characters`, '422'],
    ['Separators', String(MAX_SEPARATORS), '422'],
    ['Text of an edited chunk', `${formatCount(MAX_CHUNK_LENGTH)} characters`, '422'],
    ['Keywords of a chunk', String(MAX_KEYWORDS), '422'],
    ['URLs of an import', formatCount(MAX_URLS), '422'],
    ['Descriptions of an import', formatCount(MAX_DESCRIBED), '422'],
    ['Files of a sitemap', `${MAX_FILES}, each of ${size(MAX_FILE_BYTES)}`, 'further files are not read'],
    ['File of a preview', size(MAX_PREVIEW_BYTES), '422'],
    ['Counted chunks of a preview', formatCount(MAX_COUNTED_CHUNKS), 'the count stops'],
    ['Uploaded files of a tenant that no document uses', formatCount(MAX_UNCLAIMED), '409'],
  ],
  'Processing of a document': [
    [
      'Text',
      `${formatCount(BASE_CHARACTERS)} characters, and ${CHARACTERS_PER_BYTE} for each byte of the file`,
      '`too_much_text`',
    ],
    [
      'Chunks',
      `${formatCount(BASE_CHUNKS)}, and one for every ${CHARACTERS_PER_CHUNK} characters; at most \`MAX_CHUNKS_PER_DOCUMENT\``,
      '`too_many_chunks`',
    ],
    [
      'Processor time',
      `${seconds(BASE_CPU_MS)}, and ${seconds(PROCESSOR_MS_PER_MIB)} for each MiB; at most \`INGEST_TIMEOUT_SECONDS\``,
      '`timeout`',
    ],
    ['Attempts', String(MAX_ATTEMPTS), '`failed`'],
    ['File with a reserved parser', size(SMALL_FILE_BYTES), 'it waits for another parser'],
  ],
  'Sessions and webhooks': [
    ['Unused session', hours(IDLE_MS), 'it ends'],
    ['Session', days(MAX_SESSION_MS), 'it ends'],
    ['Sessions of a key', formatCount(MAX_SESSIONS_PER_KEY), 'the oldest ends'],
    ['Sessions of a user in a tenant', formatCount(MAX_SESSIONS_PER_USER), 'the oldest ends'],
    ['Members of a tenant', formatCount(MAX_MEMBERS), 'one without a role makes way'],
    ['Webhooks of a tenant', String(MAX_WEBHOOKS), '409'],
    ['Delivery of an event', seconds(DELIVERY_TIMEOUT_MS), 'it is tried again'],
  ],
};

/** The page about limits: those that can be configured, and those that cannot. */
export const limitsPage = (): string =>
  formatPage({
    title: 'Limits',
    introduction:
      'Every input has a limit. A request beyond a limit gets an error, unless the table says otherwise. The pages about [REST](rest.md) and [tRPC](trpc.md) have the limits of each field. [Configuration](configuration.md) explains the limits that can be configured.',
    sections: [
      ...Object.entries(fixed).map(([title, rows]) =>
        section(`## ${title}`, table(['What', 'Limit', 'Beyond it'], rows)),
      ),
      section('## Configurable limits', table(['Variable', 'Default', 'Meaning'], configurable())),
    ],
  });

const configurable = (): string[][] =>
  variableGroups.flatMap(({ variables }) =>
    Object.entries(variables)
      .filter(([name]) => CONFIGURABLE.test(name))
      .map(([name, schema]) => {
        const about = aboutOf(name, schema);
        return [code(name), defaultOf(schema, about), withCode(about.description)];
      }),
  );
