import { sql } from 'kysely';
import type { Meilisearch } from 'meilisearch';
import type { Database } from '../../db/schema.js';
import { createIndex } from '../../src/search/meilisearch/ensure-index.js';
import { createHasher } from '../../src/search/meilisearch/hashes.js';
import { toIndexDocument } from '../../src/search/meilisearch/index-document.js';
import {
  type IndexedChunk,
  readPropertyNames,
  selectIndexed,
} from '../../src/search/meilisearch/indexed-chunks.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';

const PAGE = 5_000;
/** Below what the server takes at most, 100 MiB by default. */
const PAYLOAD_CHARACTERS = 60_000_000;

/** All index documents as the largest payloads that the server takes. */
export async function preparePayloads(db: Database): Promise<string[]> {
  const hasher = createHasher('bulk');
  const names = await readPropertyNames(db);
  const payloads = [''];
  for (let last = ''; ; ) {
    const { rows } = await sql<IndexedChunk>`
      ${selectIndexed(names)} and c.id > ${last} order by c.id limit ${sql.lit(PAGE)}
    `.execute(db);
    const text = rows.map((chunk) => `${JSON.stringify(toIndexDocument(chunk, hasher))}\n`).join('');
    const open = payloads.at(-1) ?? '';
    if (open.length + text.length > PAYLOAD_CHARACTERS) payloads.push(text);
    else payloads[payloads.length - 1] = open + text;
    const next = rows.at(-1)?.id;
    if (next === undefined) return payloads;
    last = next;
  }
}

/** Has an index take all documents at once, as fast as it can; gives the seconds. */
export async function loadInBulk(admin: Meilisearch, uid: string, payloads: string[]): Promise<number> {
  await createIndex(admin, uid);
  const begin = performance.now();
  let last = -1;
  for (const payload of payloads) {
    last = (await admin.index(uid).addDocumentsFromString(payload, 'application/x-ndjson')).taskUid;
  }
  await waitForTask(admin, last);
  return (performance.now() - begin) / 1000;
}
