/** Benchmarks search by words and meaning beside search by words alone and the embedding endpoint alone. */
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../../src/cli/eval/server-process.js';
import { formatTable } from '../../src/cli/shared/format.js';
import type { SearchMode } from '../../src/search/chunk-index.js';
import type { Filter } from '../../src/search/filter/filter.js';
import { askInRounds, type Target } from '../search/ask-in-rounds.js';
import { createHttpClient, type HttpClient } from '../search/http-client.js';
import { waitUntilMerged } from '../search/postings.js';
import { FILTERS, OTHER_FILTERS, QUESTION_KINDS, type Question } from '../search/questions.js';
import { TOP_K } from '../search/rest.js';
import { summarize } from '../search/summarize.js';
import { makeCorpus, TENANT } from '../support/corpus.js';
import { createRandom } from '../support/random.js';
import { readOptions } from '../support/read-options.js';
import { startBenchDatabase } from '../support/start-bench-database.js';
import { startEndpoint } from './endpoint.js';
import { storeVectors } from './store-vectors.js';

const USAGE = `Usage: npm run bench -- meaning [--chunks N] [--requests N] [--dimensions N] [--delay-ms N] [--seed N] [--json]

Makes chunks of invented words with vectors of no meaning in an embedded database of its own, and starts a server whose
embedding endpoint is in this process. Measures alternately, with the same questions: searches by words alone, requests
of the endpoint alone, and searches by words and meaning with questions that are new, such that were asked before, and these
with filters of several kinds that have an index.

  --chunks N      of the large tenant; default 100000
  --requests N    of each kind; default 60
  --dimensions N  of the vectors; default 384
  --delay-ms N    until the endpoint answers; default 20
  --seed N        of the questions; default 1
  --json          print JSON

Status 0 when all was measured, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

const MODEL = 'bench';
const KINDS = ['rare: 3 words', 'mixed', 'common: 3 words', 'mixed, all datasets'];
const WORDS = 'words';
const ENDPOINT = 'endpoint';
const KNOWN = 'hybrid, known question';
const SETTLING_MS = 5_000;

const options = readOptions(USAGE, {
  chunks: 100_000,
  requests: 60,
  dimensions: 384,
  'delay-ms': 20,
  seed: 1,
});
const { chunks, requests, dimensions } = options;
/** Run in reverse order at the end. */
const cleanups: (() => unknown)[] = [];
try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

async function run(): Promise<void> {
  const { url, dataDir, db } = await startBenchDatabase(cleanups);
  const endpoint = await startEndpoint(dimensions, options['delay-ms']);
  cleanups.push(endpoint.close);

  log(`making ${chunks} chunks`);
  await makeCorpus(db, { chunks, neighbours: 1, onProgress: (made) => log(`${made} chunks made`) });
  log('storing their vectors');
  await storeVectors(db, { url: endpoint.url, model: MODEL, dimensions });
  const server = await startServer({
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      AUTH_MODE: 'open',
      LOG_LEVEL: 'warn',
      EMBEDDING_URL: endpoint.url,
      EMBEDDING_MODEL: MODEL,
    },
  });
  cleanups.push(server.stop);
  await waitUntilMerged(db, (changes) => log(`${changes} documents wait to be merged`));

  const http = createHttpClient(server.address);
  cleanups.push(http.close);
  const endpointHttp = createHttpClient(endpoint.url);
  cleanups.push(endpointHttp.close);
  const random = createRandom(options.seed);
  const targets = [
    search(http, WORDS, 'lexical'),
    askEndpoint(endpointHttp),
    search(http, 'hybrid, new question', 'hybrid', { isNew: true }),
    search(http, KNOWN, 'hybrid'),
    search(http, 'semantic, new question', 'semantic', { isNew: true }),
    ...[...FILTERS, ...OTHER_FILTERS.filter(({ isWithoutIndex }) => !isWithoutIndex)].map(({ name, draw }) =>
      search(http, `${KNOWN}, filter ${name}`, 'hybrid', {
        filterOf: ({ datasets }) => draw(random, { chunks, datasets }),
      }),
    ),
  ];
  const kinds = QUESTION_KINDS.filter(({ name }) => KINDS.includes(name));
  log('reading the vectors into memory');
  await askInRounds(kinds, targets, { requests: 5, random });
  await delay(SETTLING_MS);
  const asked = await askInRounds(kinds, targets, { requests, random });

  const lines = kinds.flatMap(({ name: kind }) => {
    const of = (target: string) =>
      summarize(asked.filter((one) => one.target === target && one.kind === kind));
    const [words, alone, known] = [of(WORDS), of(ENDPOINT), of(KNOWN)];
    return targets.map(({ name }) => {
      const { p50, p95, hits } = of(name);
      const isFiltered = name.includes('filter');
      const beyond =
        name.startsWith('hybrid') && !isFiltered
          ? p95 - words.p95 - (name.includes('new') ? alone.p95 : 0)
          : undefined;
      return {
        kind,
        target: name,
        hits,
        p50,
        p95,
        ratio: p50 / words.p50,
        toKnown: isFiltered ? p50 / known.p50 : undefined,
        beyond,
      };
    });
  });
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ chunks, dimensions, lines })}\n`
      : `${chunks} chunks, ${dimensions} dimensions, ${requests} requests of each kind\n\n${formatTable(
          [
            'question',
            'answered by',
            'hits',
            'p50 ms',
            'p95 ms',
            '/ words',
            '/ no filter',
            'p95 - words - endpoint',
          ],
          lines.map(({ kind, target, hits, p50, p95, ratio, toKnown, beyond }) => [
            kind,
            target,
            Number.isNaN(hits) ? '' : hits.toFixed(1),
            p50.toFixed(1),
            p95.toFixed(1),
            ratio.toFixed(2),
            toKnown?.toFixed(2) ?? '',
            beyond?.toFixed(1) ?? '',
          ]),
        )}`,
  );
}

/** Searches in a mode; `isNew`: each with a question that the server has no vector of. */
function search(
  http: HttpClient,
  name: string,
  mode: SearchMode,
  { isNew = false, filterOf }: { isNew?: boolean; filterOf?: (question: Question) => Filter } = {},
): Target {
  let dots = 0;
  return {
    name,
    async ask({ text, language, unit, datasets }: Question) {
      const query = isNew ? `${text}${' .'.repeat(++dots)}` : text;
      const scope = { tenantId: TENANT, tenantUnitId: unit };
      const filter = filterOf?.({ text, language, unit, datasets });
      const input = JSON.stringify({
        scope,
        datasetIds: datasets,
        query,
        topK: TOP_K,
        language,
        mode,
        filter,
      });
      const path = `/trpc/chunks.search?input=${encodeURIComponent(input)}`;
      // Its vector is known then.
      if (mode !== 'lexical' && !isNew) await http.get(path);
      const { milliseconds, headers, body } = await http.get(path);
      const hits = (body as { result: { data: unknown[] } }).result.data.length;
      // Where a filter leaves nothing, there is no meaning to compare.
      if (headers['x-search-mode'] !== mode && hits > 0)
        throw new Error(`a search was ${headers['x-search-mode']}, not ${mode}`);
      return { milliseconds, hits };
    },
  };
}

function askEndpoint(http: HttpClient): Target {
  return {
    name: ENDPOINT,
    ask: async ({ text }) => ({
      milliseconds: (await http.post('/embeddings', { model: MODEL, input: [text] })).milliseconds,
    }),
  };
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
