import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../db/client.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { connectMeilisearch, type MeilisearchServer } from '../../src/search/meilisearch/connect.js';
import { createHasher, type Hasher } from '../../src/search/meilisearch/hashes.js';
import { readIndexState } from '../../src/search/meilisearch/index-state.js';
import { toReadFilter } from '../../src/search/meilisearch/read-filter.js';
import { TENANT } from '../support/corpus.js';
import { removeIndexes } from '../support/remove-indexes.js';
import type { Outcome, Target } from './ask-in-rounds.js';
import { createHttpClient } from './http-client.js';
import type { Question } from './questions.js';
import { getConversation, getDocument, searchByRest } from './rest.js';

const POLL_MS = 500;
/** As many as the engine asks for. */
const PLAIN_LIMIT = 250;

export const MEILISEARCH = {
  search: 'Meilisearch engine',
  plain: 'plain Meilisearch query',
  conversation: 'GET of a conversation, Meilisearch engine',
  document: 'GET of a document, Meilisearch engine',
};

export interface MeilisearchTargets {
  targets: Target[];
  /** From the start of its server until the index was complete. */
  seconds: number;
  stop(): Promise<void>;
}

/** Starts another server on the same database, whose engine is the Meilisearch server at MEILI_URL. */
export async function startMeilisearchServer(
  env: NodeJS.ProcessEnv,
  documentId: string,
): Promise<MeilisearchTargets> {
  const { MEILI_URL: url = '', MEILI_ADMIN_KEY: adminKey } = process.env;
  const prefix = `lectern-bench-${randomBytes(4).toString('hex')}_`;
  const meilisearch = connectMeilisearch({ url, adminKey, prefix, searchTimeoutMs: 10_000 });
  const begin = performance.now();
  const server = await startServer({
    env: {
      ...env,
      MEILI_URL: url,
      MEILI_ADMIN_KEY: adminKey,
      MEILI_INDEX_PREFIX: prefix,
      MEILI_SEARCH_TIMEOUT_MS: '10000',
    },
  });
  const http = createHttpClient(server.address);
  const stop = async () => {
    http.close();
    await server.stop();
    await removeIndexes(meilisearch, [meilisearch.indexUid]);
  };
  try {
    while (((await http.get('/readyz')).body as { search: string }).search !== 'ok') await delay(POLL_MS);
    const seconds = (performance.now() - begin) / 1000;
    const hasher = await readHasher(env.DATABASE_URL ?? '');
    const targets = [
      await getConversation(http, MEILISEARCH.conversation),
      getDocument(http, MEILISEARCH.document, documentId),
      searchByRest(http, MEILISEARCH.search),
      { name: MEILISEARCH.plain, ask: (question: Question) => queryPlainly(meilisearch, hasher, question) },
    ];
    return { targets, seconds, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readHasher(databaseUrl: string): Promise<Hasher> {
  const { db, close } = connectDatabase(databaseUrl, { max: 1 });
  try {
    return createHasher((await readIndexState(db))?.hashSecret ?? '');
  } finally {
    await close();
  }
}

/** One query of the same index with the same filter. */
async function queryPlainly(
  server: MeilisearchServer,
  hasher: Hasher,
  { unit, datasets, text }: Question,
): Promise<Outcome> {
  const filter = toReadFilter({ tenantId: TENANT, tenantUnitId: unit, datasetIds: datasets }, hasher);
  const client = await server.searchClient();
  const begin = performance.now();
  const { hits } = await client.index(server.indexUid).search(text, {
    filter,
    limit: PLAIN_LIMIT,
    matchingStrategy: 'last',
    attributesToRetrieve: ['id'],
  });
  return { milliseconds: performance.now() - begin, hits: hits.length };
}
