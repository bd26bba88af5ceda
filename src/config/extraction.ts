import type { ExtractionApi, ExtractionSettings } from '../ingestion/extraction/extraction-settings.js';
import { ConfigError } from './config-error.js';
import type { Environment } from './environment.js';
import { MIB } from './variables/shapes.js';

/**
 * What reads scans and pictures.
 *
 * @returns undefined where nothing shall
 * @throws ConfigError where the API lacks what it needs, or has what it cannot use
 */
export function readExtraction(env: Environment): ExtractionSettings | undefined {
  const api = readApi(env);
  if (!api) return undefined;
  return {
    ...api,
    extractionFor: env.EXTRACTION_FOR,
    languages: env.EXTRACTION_LANGUAGES,
    timeoutMs: env.EXTRACTION_TIMEOUT_SECONDS * 1000,
    concurrency: env.EXTRACTION_CONCURRENCY,
    requestsPerMinute: env.EXTRACTION_REQUESTS_PER_MINUTE,
    maxFileBytes: env.EXTRACTION_MAX_FILE_MB * MIB,
    pageQuota: env.QUOTA_EXTRACTED_PAGES,
  };
}

function readApi(env: Environment): ExtractionApi | undefined {
  const { EXTRACTION_API: api, EXTRACTION_URL: url, EXTRACTION_API_KEY: apiKey } = env;
  if (api === 'none') return undefined;
  if (api === undefined || api === 'tesseract') {
    assertNoServer(env);
    return { api: api ?? 'auto' };
  }
  if (url === undefined)
    throw new ConfigError(
      `EXTRACTION_API is ${api}, and EXTRACTION_URL does not say where it is. Set it, for example to ${EXAMPLES[api]}, or set EXTRACTION_API to none.`,
    );
  if (api === 'openai') return { api, url, apiKey, model: readModel(env) };
  if (env.EXTRACTION_MODEL !== undefined)
    throw new ConfigError(
      `EXTRACTION_MODEL is for EXTRACTION_API=openai, and that is ${api}. Leave the model out, or change the API.`,
    );
  return { api, url, apiKey };
}

const EXAMPLES = {
  docling: 'http://127.0.0.1:5001',
  tika: 'http://127.0.0.1:9998',
  openai: 'http://127.0.0.1:11434/v1',
  http: 'http://127.0.0.1:8000/extract',
};

/** @throws ConfigError where something is set that only servers have */
function assertNoServer(env: Environment): void {
  const set = OF_SERVERS.find((name) => env[name] !== undefined);
  if (!set) return;
  throw new ConfigError(
    env.EXTRACTION_API
      ? `${set} has no effect with EXTRACTION_API=tesseract, which runs a program of this machine. Leave it out, or set EXTRACTION_API to docling, tika, openai or http.`
      : `${set} is set, and EXTRACTION_API does not say what the engine speaks. Set it to docling, tika, openai or http.`,
  );
}

const OF_SERVERS = [
  'EXTRACTION_URL',
  'EXTRACTION_MODEL',
  'EXTRACTION_API_KEY',
  'EXTRACTION_REQUESTS_PER_MINUTE',
] as const;

function readModel({ EXTRACTION_MODEL: model }: Environment): string {
  if (model !== undefined) return model;
  throw new ConfigError(
    'EXTRACTION_API is openai, and EXTRACTION_MODEL does not name the model. Set it to one that reads pictures.',
  );
}
