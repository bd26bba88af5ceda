import express, { type Express, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { CallsUnderWay } from '../async/calls-under-way.js';
import type { SignIn } from '../auth/sign-in/sign-in.js';
import { MCP_PATH, type McpResource } from '../auth/tokens/mcp-resource.js';
import { invalid } from '../errors/errors.js';
import { DIFY_PATH, serveDify } from '../integrations/dify/dify.js';
import { difyErrors } from '../integrations/dify/errors.js';
import { openAiErrors } from '../integrations/openai/errors.js';
import { OPENAI_PATH, serveOpenAi } from '../integrations/openai/openai.js';
import type { ObserveRequest } from '../metrics/prometheus/request-metrics.js';
import type { FailedAuthLimit } from '../rate-limit/failed-auth-limit.js';
import { limitBodyMemory } from '../rest-facade/body-memory.js';
import { errorHandler, notFoundHandler } from '../rest-facade/error-handler.js';
import { restRouter, serveRest } from '../rest-facade/index.js';
import { type Context, createBatch, createCaller, type Services, toTrpcError } from '../routers/index.js';
import type { Tracing } from '../tracing/tracing.js';
import { serveApiReference } from './api-reference.js';
import { endPipeline } from './connections/request-queue.js';
import { serveConsoleAssets, serveConsolePage } from './console/serve-console.js';
import { serveGuide } from './guide/serve-guide.js';
import { serveHealth } from './health/health.js';
import type { Readiness } from './health/readiness.js';
import { serveLandingPage } from './landing-page/landing-page.js';
import { mcpChallenge, serveMcpMetadata } from './mcp-metadata.js';
import { type MetricsText, requireOperations, serveMetrics } from './metrics/serve-metrics.js';
import { applyGuards, credentialSignalOf, type Guard, keyAccessOf } from './middleware/auth.js';
import { type CancelStatements, cancelReads } from './middleware/cancel-reads.js';
import { rateLimitedClientOf } from './middleware/client-identity.js';
import { corsMiddleware } from './middleware/cors.js';
import { requireValidOrigin } from './middleware/mcp-origin.js';
import { nameClientOfConnection } from './middleware/name-client.js';
import { observeRequests } from './middleware/observe-requests.js';
import { assignRequestId, requestIdOf } from './middleware/request-id.js';
import { setNoStore, setSecurityHeaders } from './middleware/security-headers.js';
import { sessionCookieOf } from './middleware/session-cookie.js';
import { assertStreamCounted } from './middleware/stream-limit.js';
import { traceRequests } from './middleware/trace-requests.js';
import { readTrpcBody } from './middleware/trpc-body.js';
import { trpcErrorResponse } from './middleware/trpc-error-response.js';
import { warnUntrustedProxy } from './middleware/warn-untrusted-proxy.js';
import { addressedScope } from './request/addressed-scope.js';
import { createLogError } from './request/log-error.js';
import { onFinished } from './request/on-finished.js';
import type { ReadLimits } from './request/read-limits.js';
import { serveExport } from './serve-export.js';
import { mcpErrorResponse, serveMcp } from './serve-mcp.js';
import { serveTrpc } from './serve-trpc.js';
import { serveSignIn } from './sign-in/serve-sign-in.js';
import type { StaticFiles } from './static-files/static-files.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const USER_ID = 'X-User-Id';
const MAX_USER_ID_LENGTH = 255;
/** Of all JSON bodies and form fields that are read or handled at a time. One client has half of it: half a dozen of the largest bodies. */
export const MAX_BODY_MEMORY_BYTES = 192 * 1024 * 1024;
const API_PATH = /^\/((admin|trpc|integrations|exports)\/|mcp\/?$)/i;
/** Probes of containers call it by any name. */
const HEALTH_PATH = /^\/(healthz|readyz)\/?$/i;

export interface HttpDependencies {
  services: Services;
  callsUnderWay: CallsUnderWay;
  readiness: () => Promise<Readiness>;
  /** Fires when the server is about to stop. */
  stopping: AbortSignal;
  version: string;
  /** Whether clients need an API key; shown on the landing page. */
  needsKey: boolean;
  /** The OpenAPI document, as JSON. */
  openApi: Buffer;
  /** The built console, if any; without it a browser gets the landing page. */
  console: StaticFiles | undefined;
  /** The built guide, if any. */
  guide: StaticFiles | undefined;
  /** Guards of all routes except health. */
  hostGuards: Guard[];
  /** Signs people in by providers, if any has a client id. */
  signIn: SignIn | undefined;
  /** Of addresses that fail to sign in. */
  failedSignIns: FailedAuthLimit | undefined;
  /** Guards of all routes except health, console, landing page, API reference and guide. */
  guards: Guard[];
  /** What the limits of a caller leave. */
  readLimits: ReadLimits;
  /** Cancels what a request has the database do. */
  cancelStatements: CancelStatements;
  /** Express "trust proxy". */
  trustProxy: number | string[];
  /** Allowed CORS origins; none if absent. */
  corsOrigins?: string[];
  /** Base of links in answers of MCP; links are paths if undefined. */
  publicUrl: string | undefined;
  /** The MCP endpoint as a resource that issuers of tokens know, if there are any. */
  mcpResource: McpResource | undefined;
  /** Host names of the server, besides IP addresses and localhost. */
  allowedHosts: string[];
  defaultTenantUnit: { tenantId: string; tenantUnitId: string };
  maxJsonBytes: number;
  maxUploadBytes: number;
  maxPageSize: number;
  observeRequest: ObserveRequest;
  tracing: Tracing | undefined;
  /** Absent where they have a port of their own. */
  metrics: MetricsText | undefined;
  log: Logger;
  requestLog: Logger;
}

/** The Express application: health, console or landing page, API reference, guide, tRPC under `/trpc`, REST API. */
export function createHttpApp(dependencies: HttpDependencies): Express {
  const {
    services,
    callsUnderWay,
    readiness,
    stopping,
    version,
    needsKey,
    openApi,
    console,
    guide,
    hostGuards,
    signIn,
    failedSignIns,
    guards,
    readLimits,
    cancelStatements,
    trustProxy,
    corsOrigins = [],
    publicUrl,
    mcpResource,
    allowedHosts,
    defaultTenantUnit,
    observeRequest,
    tracing,
    metrics,
    log,
    requestLog,
    ...limits
  } = dependencies;
  const createContext = (req: Request, res: Response): Context => {
    const access = keyAccessOf(res);
    const requestId = requestIdOf(res);
    return {
      services,
      callsUnderWay,
      access,
      actor: {
        // Whoever has a token is its user, whatever else the request says.
        userId: access?.user ? access.user.id : userOf(req),
        keyId: access?.keyId,
        userKey: access?.user?.key,
        userIssuer: access?.user?.issuer,
        userName: access?.user?.name ?? undefined,
        isAnonymous: !access,
        address: req.ip,
        requestId,
        signal: credentialSignalOf(res),
      },
      idempotencyKey: idempotencyKeyOf(req),
      sessionCookie: sessionCookieOf(req, res),
      readLimits: () => readLimits(rateLimitedClientOf(req, res)),
      addResponseHeader: responseHeaderAdder(res),
    };
  };
  const reportError = createLogError(log);
  const bodyMemory = limitBodyMemory(MAX_BODY_MEMORY_BYTES);

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', trustProxy);
  app.use(assignRequestId);
  if (tracing) app.use(traceRequests(tracing));
  app.use(observeRequests({ log: requestLog, observe: observeRequest }));
  app.use(setSecurityHeaders);
  if (corsOrigins.length > 0) app.use(corsMiddleware(corsOrigins));
  if (hostGuards.length > 0) {
    const checkHost = applyGuards(hostGuards);
    app.use((req, res, next) => (HEALTH_PATH.test(req.path) ? next() : checkHost(req, res, next)));
  }
  const pages = Router();
  pages.use(serveApiReference(openApi, guide !== undefined));
  if (console) pages.use(serveConsoleAssets(console));
  if (guide) pages.use(serveGuide(guide));
  pages.use(setNoStore);
  if (mcpResource) pages.use(serveMcpMetadata(mcpResource));
  if (signIn) pages.use(serveSignIn({ signIn, sessions: services.sessions, failures: failedSignIns, log }));
  // Clients of MCP ask what grants them access: without issuers, only keys do.
  pages.use('/.well-known', notFoundHandler);
  pages.use(serveHealth(readiness, { version, stopping }));
  if (metrics) pages.use(serveMetrics(metrics, [...guards, requireOperations]));
  if (console) pages.use(serveConsolePage(console));
  pages.use(
    serveLandingPage({
      readiness,
      version,
      needsKey,
      providers: signIn?.providers,
      hasGuide: guide !== undefined,
    }),
  );
  // Their routes take longer to be passed by than those of the API to be found.
  app.use((req, res, next) => (API_PATH.test(req.path) ? next() : pages(req, res, next)));
  app.use(setNoStore);
  if (trustProxy === 0) app.use(warnUntrustedProxy(log));
  app.use(MCP_PATH, applyGuards([requireValidOrigin({ corsOrigins, allowedHosts, publicUrl })]));
  app.use(applyGuards(guards, mcpResource && mcpChallenge(mcpResource)));
  app.use(nameClientOfConnection, cancelReads(cancelStatements));
  const trpc = Router();
  trpc.use(readTrpcBody(limits, bodyMemory));
  trpc.use(
    serveTrpc({
      bodyMemory,
      maxUploadBytes: limits.maxUploadBytes,
      createContext: (req, res, info) => {
        if (info.type === 'subscription' && !info.isBatchCall) {
          assertStreamCounted(res);
          endPipeline(req);
        }
        const batch = info.calls.length > 1 ? createBatch() : undefined;
        return { ...createContext(req, res), batch };
      },
      reportError,
    }),
  );
  app.use('/trpc', trpc, trpcErrorResponse(reportError));
  const protocols = {
    ...limits,
    bodyMemory,
    callerOf(req: Request, res: Response) {
      const signal = closeSignal(res);
      const context = createContext(req, res);
      const { access } = context;
      const scope = addressedScope(req, access, defaultTenantUnit.tenantId);
      return { api: createCaller(context, { signal }), access, signal, ...scope };
    },
  };
  app.use(serveDify(protocols), serveOpenAi(protocols));
  app.use(DIFY_PATH, difyErrors(reportError));
  app.use(OPENAI_PATH, openAiErrors(reportError));
  app.use(serveMcp({ ...protocols, defaultTenantUnit, version, publicUrl, reportError }));
  app.use(MCP_PATH, mcpErrorResponse(reportError));
  app.use(
    serveExport({
      createApi: (req, res) => {
        const signal = closeSignal(res);
        return { api: createCaller(createContext(req, res), { signal }), signal };
      },
      stopping,
      reportError,
    }),
  );
  app.use(
    serveRest(restRouter, {
      createApi: (req, res) =>
        createCaller(
          { ...createContext(req, res), claimsUploadsInRequest: true },
          { signal: closeSignal(res) },
        ),
      bodyMemory,
      ...limits,
    }),
  );
  app.use(errorHandler(reportError));
  return app;
}

/** @throws TRPCError if the header is invalid */
function idempotencyKeyOf(req: Request): string | undefined {
  const key = req.get(IDEMPOTENCY_KEY);
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw toTrpcError(invalid('must be 1 to 255 printable ASCII characters', [IDEMPOTENCY_KEY]));
}

/**
 * Header values arrive as Latin-1; clients send UTF-8.
 *
 * @throws TRPCError if the header is too long
 */
function userOf(req: Request): string | undefined {
  const value = req.get(USER_ID);
  if (!value) return undefined;
  if (value.length <= MAX_USER_ID_LENGTH) return Buffer.from(value, 'latin1').toString('utf8');
  throw toTrpcError(invalid(`must be at most ${MAX_USER_ID_LENGTH} bytes long`, [USER_ID]));
}

/** A streamed batch response has already sent its headers. */
const responseHeaderAdder = (res: Response) => (name: string, value: string) => {
  if (res.headersSent) return;
  const present = [res.getHeader(name) ?? []].flat().map(String);
  res.setHeader(name, [...new Set([...present, value])]);
};

/** Aborts when the client disconnects before its answer. */
function closeSignal(res: Response): AbortSignal {
  const closed = new AbortController();
  onFinished(res, () => {
    if (!res.writableEnded) closed.abort();
  });
  return closed.signal;
}
