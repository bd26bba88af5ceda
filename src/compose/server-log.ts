import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createLog } from '../logging/log.js';
import { createPrettyLogStream } from '../logging/pretty-log.js';
import { traceIds } from '../tracing/trace-ids.js';

/** The log of a server, with the secrets of its configuration redacted; pretty-printed on a terminal. */
export function createServerLog(config: Config): Logger {
  const { logLevels, databaseUrl, authIssuers, meilisearch, embedding, reranking, extraction, tracing } =
    config;
  const password = databaseUrl && decodeURIComponent(new URL(databaseUrl).password);
  const destination = createPrettyLogStream(process.stdout);
  return createLog({
    level: logLevels.level,
    secrets: [
      password,
      ...authIssuers.map(({ signIn }) => signIn?.clientSecret),
      meilisearch?.apiKey,
      meilisearch?.adminKey,
      meilisearch?.tokenKey,
      embedding?.endpoint.apiKey,
      embedding?.previousApiKey,
      reranking?.endpoint.apiKey,
      extraction && 'apiKey' in extraction ? extraction.apiKey : undefined,
      ...(tracing?.secrets ?? []),
    ],
    ...(destination && { destination }),
    ...(tracing && { mixin: () => traceIds() }),
  });
}
