import { MeilisearchError } from 'meilisearch';
import type { Database } from '../../../db/schema.js';
import { unavailable } from '../../errors/errors.js';
import type { ChunkIndex } from '../chunk-index.js';
import type { MeilisearchServer } from '../meilisearch/connect.js';
import { createSearchToken } from '../meilisearch/create-token.js';
import { diffSettings } from '../meilisearch/diff-settings.js';
import { toOperatorMessage } from '../meilisearch/errors.js';
import { listIndexTasks } from '../meilisearch/index-tasks.js';
import { readOperatorSettings } from '../meilisearch/operator-settings.js';
import { createRepair, verifyIndex } from '../meilisearch/verify.js';
import { explainSearch } from './explain.js';
import { explainTerms } from './explain-terms.js';
import { markMatches } from './mark-matches.js';
import type { SearchOperations } from './search-operations.js';
import { readIndexStatus, readSearchStatus } from './status.js';

export interface SearchOperationsDependencies {
  db: Database;
  /** For what explains searches, if other connections are for those. */
  searchDb?: Database;
  index: ChunkIndex;
  /** Absent where PostgreSQL searches. */
  server: MeilisearchServer | undefined;
  /** Whether PostgreSQL is the fallback. */
  fallback: boolean;
  clock?: () => Date;
}

/** @throws DomainError `unavailable`, with a message for operators, when the search server fails */
export function createSearchOperations({
  db,
  searchDb = db,
  index,
  server,
  fallback,
  clock = () => new Date(),
}: SearchOperationsDependencies): SearchOperations {
  return {
    indexStatus: () => readIndexStatus(index),
    status: () => readSearchStatus({ db, index, server, fallback }),
    settings: async () =>
      server
        ? withOperatorMessage(async () =>
            diffSettings((await server.documentClient()).index(server.indexUid)),
          )
        : [],
    operatorSettings: async () =>
      server
        ? withOperatorMessage(async () =>
            readOperatorSettings(await (await server.documentClient()).index(server.indexUid).getSettings()),
          )
        : {},
    createToken: (reach, latest) => createSearchToken({ db: searchDb, server, clock }, reach, latest),
    tasks: async (filter) => (server ? withOperatorMessage(() => listIndexTasks(db, server, filter)) : []),
    verify: async (options) =>
      server ? withOperatorMessage(() => verifyIndex({ db, server, ...options })) : null,
    explain: (query, options) => explainSearch({ db: searchDb, index }, query, options),
    explainTerms: (query) => explainTerms(searchDb, query),
    markMatches,
    repair: async ({ signal, onRepair }) =>
      server
        ? withOperatorMessage(() => {
            const enqueue = createRepair(db);
            const repair = async (chunkIds: string[]) => {
              await enqueue(chunkIds);
              onRepair(chunkIds.length);
            };
            return verifyIndex({ db, server, signal, repair });
          })
        : null,
  };
}

async function withOperatorMessage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isServers = error instanceof MeilisearchError || error instanceof SyntaxError;
    throw isServers ? unavailable(toOperatorMessage(error), error) : error;
  }
}
