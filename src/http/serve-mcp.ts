import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { MCP_PATH } from '../auth/tokens/mcp-resource.js';
import { findExcess } from '../mcp/message-limits.js';
import type { BodyMemory } from '../rest-facade/body-memory.js';
import { sendError } from '../rest-facade/error-handler.js';
import { toRestError } from '../rest-facade/errors.js';
import { readJson } from '../rest-facade/json-body.js';
import { requestError } from '../rest-facade/request-errors.js';
import type { Api, Context } from '../routers/index.js';
import type { AddressedScope } from './request/addressed-scope.js';
import type { LogError } from './request/log-error.js';
import { currentRequest } from './request/request-context.js';

interface ServeMcpOptions {
  bodyMemory: BodyMemory;
  maxJsonBytes: number;
  maxPageSize: number;
  version: string;
  /** Base of links; links are paths if undefined. */
  publicUrl: string | undefined;
  /** Of documents whose unit nothing says. */
  defaultTenantUnit: { tenantUnitId: string };
  callerOf(
    req: Request,
    res: Response,
  ): AddressedScope & { api: Api; access: Context['access']; signal: AbortSignal };
  reportError: LogError;
}

/** Codes of JSON-RPC; other statuses have that of servers' own errors. */
const CODES: Record<string, number> = {
  json_invalid: -32_700,
  'value_error.too_big': -32_600,
  value_error: -32_600,
};
const SERVER_ERROR = -32_000;
/** The headers that the protocol has; others, such as keys, do not reach the SDK. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Serves the Model Context Protocol over Streamable HTTP, without sessions. */
export function serveMcp({
  bodyMemory,
  maxJsonBytes,
  maxPageSize,
  version,
  publicUrl = '',
  defaultTenantUnit,
  callerOf,
  reportError,
}: ServeMcpOptions): Router {
  const routes = Router();
  routes.all(
    MCP_PATH,
    requirePost,
    ...readJson({ limit: maxJsonBytes, memory: bodyMemory, inflate: true, empty: undefined }),
    refuseBatches,
    refuseExcess,
    async (req, res) => {
      // Most servers never get here, and it takes 10 MiB.
      const { answerMcp } = await import('../mcp/answer.js');
      const { signal, ...caller } = callerOf(req, res);
      const request = currentRequest();
      const answer = answerMcp({
        caller: {
          ...caller,
          defaultUnitId: defaultTenantUnit.tenantUnitId,
          publicUrl,
          maxPageSize,
          beginWrite() {
            if (request) request.isWrite = true;
          },
        },
        version,
        headers: protocolHeaders(req),
        body: req.body,
        signal,
        reportError: (error) => reportError(error, res),
      });
      const response = await bodyMemory.during(res, answer);
      const type = response.headers.get('content-type');
      if (type !== null) res.setHeader('Content-Type', type);
      res.status(response.status).end(await response.text());
    },
  );
  return routes;
}

/** Responds to rejected requests with an error of JSON-RPC. */
export const mcpErrorResponse =
  (reportError: LogError): ErrorRequestHandler =>
  (thrown, req, res, next) => {
    if (res.headersSent || res.closed) return next(thrown);
    const { status, detail } = toRestError(thrown, {});
    if (status >= 500 && status !== 503) reportError(thrown, res);
    const [{ type, msg } = { type: '', msg: 'Bad request.' }] = detail;
    const error = { code: (status === 422 && CODES[type]) || SERVER_ERROR, message: msg };
    sendError(req, res, status === 422 ? 400 : status, { jsonrpc: '2.0', error, id: null });
  };

/** Streams of the server's own messages, and the end of sessions, are optional; there are neither. */
const requirePost: RequestHandler = (req, res, next) => {
  if (req.method === 'POST' && req.is('json')) return next();
  if (req.method === 'POST') return next(requestError('media.unsupported', 'MCP takes application/json.'));
  const error = { code: SERVER_ERROR, message: `${req.method} is not allowed here: MCP takes POST.` };
  res.set('Allow', 'POST');
  sendError(req, res, 405, { jsonrpc: '2.0', error, id: null });
};

/** No version of the protocol that is served has them, and their calls would be counted as one. */
const refuseBatches: RequestHandler = (req, _res, next) =>
  next(
    Array.isArray(req.body) || req.body === undefined
      ? requestError('header.invalid', 'Send one message of JSON-RPC in a request.')
      : undefined,
  );

const refuseExcess: RequestHandler = (req, _res, next) => {
  const excess = typeof req.body === 'object' && req.body !== null ? findExcess(req.body) : undefined;
  next(excess === undefined ? undefined : requestError('json.too.many', `The message ${excess}.`));
};

function protocolHeaders(req: Request): Headers {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = req.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
