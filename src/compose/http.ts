import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { DatabaseClient } from '../../db/client.js';
import type { Config } from '../config.js';
import { createHttpApp } from '../http/app.js';
import { createReadiness } from '../http/health/readiness.js';
import { createHttpServer } from '../http/server.js';
import type { Services } from '../routers/index.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import { version } from '../version.js';
import type { Guards } from './request-guards.js';

/** A connection that has not answered by then is given up, and replaced. */
const HEALTH_CHECK = { text: 'select 1', query_timeout: 4_000 };

interface HttpDependencies {
  services: Services;
  guards: Guards['steps'];
  pool: DatabaseClient['pool'];
  index: Pick<ChunkIndex, 'status'>;
  log: Logger;
}

/** The HTTP server with all its routes; it does not listen yet. */
export function createHttp(config: Config, { services, guards, pool, index, log }: HttpDependencies): Server {
  const checks = {
    database: async () => void (await pool.query(HEALTH_CHECK)),
    search: () => index.status(),
  };
  const app = createHttpApp({
    services,
    readiness: createReadiness({ checks, log }),
    version,
    needsKey: config.authMode !== 'open',
    guards,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    maxJsonBytes: config.maxJsonBytes,
    maxUploadBytes: config.maxUploadBytes,
    maxPageSize: config.maxPageSize,
    log,
  });
  const { requestTimeoutMs, maxConnections } = config;
  return createHttpServer(app, { requestTimeoutMs, maxConnections, log });
}
