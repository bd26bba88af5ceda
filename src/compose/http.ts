import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { CallsUnderWay } from '../async/calls-under-way.js';
import type { SignIn } from '../auth/sign-in/sign-in.js';
import { createMcpResource } from '../auth/tokens/mcp-resource.js';
import type { Config } from '../config/config.js';
import { DEFAULT_MAX_PAGE_SIZE } from '../config/variables/limits.js';
import { version } from '../config/version.js';
import { createHttpApp } from '../http/app.js';
import { sharedAddresses } from '../http/connections/shared-addresses.js';
import { serveHealth } from '../http/health/health.js';
import { createReadiness } from '../http/health/readiness.js';
import type { MetricsText } from '../http/metrics/serve-metrics.js';
import { requireOperations, serveMetrics } from '../http/metrics/serve-metrics.js';
import { createPlainApp } from '../http/plain-app.js';
import { createHttpServer } from '../http/server.js';
import { readStaticFiles } from '../http/static-files/static-files.js';
import type { ObserveRequest } from '../metrics/prometheus/request-metrics.js';
import { createFailedAuthLimit } from '../rate-limit/failed-auth-limit.js';
import { createOpenApiDocument, restRouter } from '../rest-facade/index.js';
import type { Services } from '../routers/index.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type { Tracing } from '../tracing/tracing.js';
import type { Databases } from './databases.js';
import type { Guards } from './request-guards.js';

/** A connection that has not answered by then is given up, and replaced. */
const HEALTH_CHECK = {
  text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  query_timeout: 4_000,
};
/** Where the console is built, beside the compiled code; there is none beside the source. */
const WEB_DIR = fileURLToPath(new URL('../../web', import.meta.url));
/** Likewise what is published for the default page size. */
const OPENAPI_FILE = new URL('../../../openapi.json', import.meta.url);
/** Likewise the guide. */
const DOCS_DIR = fileURLToPath(new URL('../../docs', import.meta.url));

interface HttpDependencies {
  services: Services;
  callsUnderWay: CallsUnderWay;
  guards: Pick<Guards, 'hosts' | 'steps' | 'readLimits'>;
  signIn: SignIn;
  databases: Pick<Databases, 'requests' | 'search' | 'background'>;
  index: Pick<ChunkIndex, 'status'>;
  /** The folder of the built console, if it is elsewhere. */
  webDir: string | undefined;
  /** Likewise of the built guide. */
  docsDir: string | undefined;
  metrics: { text: MetricsText; requests: { observe: ObserveRequest } };
  tracing: Tracing | undefined;
  /** Fires when the server is about to stop. */
  stopping: AbortSignal;
  log: Logger;
  requestLog: Logger;
}

/** The HTTP server with the routes of the process's role, and that of the metrics if they have a port; they do not listen yet. */
export function createHttp(
  config: Config,
  {
    services,
    callsUnderWay,
    guards,
    signIn,
    databases,
    index,
    webDir = WEB_DIR,
    docsDir = DOCS_DIR,
    metrics,
    tracing,
    stopping,
    log,
    requestLog,
  }: HttpDependencies,
): { http: Server; metricsHttp: Server | undefined; hasConsole: boolean } {
  const { pool } = config.role === 'worker' ? databases.background : databases.requests;
  const checks = {
    database: async () => ({ isReadOnly: (await pool.query(HEALTH_CHECK)).rows[0]?.isReadOnly === true }),
    search: () => index.status(),
  };
  const readiness = createReadiness({ checks, log });
  const { total, perAddress, exemptsLoopback } = config.connectionLimits;
  const options = {
    requestTimeoutMs: config.requestTimeoutMs,
    maxConnections: total,
    maxConnectionsPerAddress: perAddress,
    isShared: sharedAddresses(config.trustProxy, { includeLoopback: exemptsLoopback }),
    log,
  };
  const metricsHttp =
    config.metrics && createHttpServer(createPlainApp([serveMetrics(metrics.text, [])], log), options);
  const served = config.metrics ? undefined : metrics.text;
  if (config.role === 'worker') {
    const health = serveHealth(readiness, { version, stopping });
    const guarded = served
      ? [serveMetrics(served, [...guards.hosts, ...guards.steps, requireOperations])]
      : [];
    const app = createPlainApp([health, ...guarded], log);
    return { http: createHttpServer(app, options), metricsHttp, hasConsole: false };
  }
  const { failedKeys } = config.rateLimits;
  const console = readStaticFiles(webDir);
  const app = createHttpApp({
    services,
    callsUnderWay,
    readiness,
    stopping,
    cancelStatements: (request) => {
      databases.requests.cancelStatements(request);
      databases.search.cancelStatements(request);
    },
    version,
    needsKey: config.authMode !== 'open',
    openApi: describeApi(config.maxPageSize),
    console,
    guide: readStaticFiles(docsDir),
    hostGuards: guards.hosts,
    signIn: signIn.providers.length > 0 ? signIn : undefined,
    failedSignIns: failedKeys && createFailedAuthLimit(failedKeys),
    guards: guards.steps,
    readLimits: guards.readLimits,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    publicUrl: config.publicUrl,
    mcpResource: createMcpResource(config.publicUrl, config.authIssuers),
    allowedHosts: config.allowedHosts,
    defaultTenantUnit: config.defaultTenantUnit,
    maxJsonBytes: config.maxJsonBytes,
    maxUploadBytes: config.maxUploadBytes,
    maxPageSize: config.maxPageSize,
    observeRequest: metrics.requests.observe,
    tracing,
    metrics: served,
    log,
    requestLog,
  });
  return { http: createHttpServer(app, options), metricsHttp, hasConsole: console !== undefined };
}

/** The OpenAPI document as JSON: the file of the package, where it is right, since to make it takes a tenth of a start. */
function describeApi(maxPageSize: number): Buffer {
  if (maxPageSize === DEFAULT_MAX_PAGE_SIZE && existsSync(OPENAPI_FILE)) return readFileSync(OPENAPI_FILE);
  return Buffer.from(JSON.stringify(createOpenApiDocument(restRouter, { maxPageSize })));
}
