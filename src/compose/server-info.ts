import type { Config } from '../config/config.js';
import { version } from '../config/version.js';
import type { Extraction } from '../ingestion/extraction/extraction.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type { ServerInfo } from '../services/sessions/sessions.schema.js';

/** What front ends are told of the server. */
export function describeServer(
  config: Config,
  { engine }: Pick<ChunkIndex, 'engine'>,
  extraction: Extraction | undefined,
): ServerInfo {
  const { maxUploadBytes, maxJsonBytes, maxPageSize, chunking, defaultTenantUnit, embedding } = config;
  const meaning = embedding !== undefined;
  return {
    version,
    maxUploadBytes,
    maxJsonBytes,
    maxPageSize,
    chunking,
    extraction: extraction ? { engine: extraction.engine.name } : null,
    defaultTenantUnit,
    search: {
      engine,
      mode: meaning ? config.searchMode : 'lexical',
      meaning,
      reranking: config.reranking !== undefined,
    },
  };
}
