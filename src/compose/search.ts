import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import { withFallback } from '../search/fallback.js';
import { connectMeilisearch } from '../search/meilisearch/connect.js';
import { createMeilisearchEngine } from '../search/meilisearch/engine.js';
import { toOperatorMessage } from '../search/meilisearch/errors.js';
import { createMessageIndex } from '../search/messages/search-messages.js';
import { createSearchOperations } from '../search/operations/create-operations.js';
import { createPostgresEngine } from '../search/postgres/engine.js';
import { createPostingCache } from '../search/postgres/postings/posting-cache.js';
import { createSynonyms } from '../search/synonyms/create-synonyms.js';
import { addMeaning, logEndpointCheck } from './meaning.js';
import { addReranking } from './reranking.js';

interface SearchIndexDependencies {
  db: Database;
  /** Connections for searches alone. */
  searchDb: Database;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  log: Logger;
}

/** The search index: Meilisearch if configured, with PostgreSQL as its fallback if configured; else PostgreSQL. */
export function createSearchIndex(config: Config, { db, searchDb, stopping, log }: SearchIndexDependencies) {
  const { meilisearch, searchFallback, embedding } = config;
  const server = meilisearch && connectMeilisearch(meilisearch);
  const synonyms = createSynonyms({ db: searchDb });
  const cache = createPostingCache();
  const postgres = createPostgresEngine({ db: searchDb, synonyms, cache });
  const engine = server && createMeilisearchEngine({ db: searchDb, server, postgres, synonyms });
  const words =
    engine && searchFallback
      ? withFallback(engine, { fallback: postgres, describeError: toOperatorMessage, stopping, log })
      : (engine ?? postgres);
  const meaning = addMeaning(words, config, { searchDb, stopping, log });
  const index = addReranking(meaning, config, { searchDb, stopping, log });
  const operations = createSearchOperations({ db, searchDb, index, server, fallback: searchFallback });
  return {
    server,
    index,
    postgres,
    messages: createMessageIndex({ db: searchDb, cache }),
    operations,
    description: embedding ? `${index.engine}, by meaning with ${embedding.endpoint.model}` : index.engine,
    /** Reports what is wrong, in the background. */
    start: () => void logEndpointCheck(config, { db, stopping, log }),
  };
}
