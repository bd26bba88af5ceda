import type { AnyRouter } from '@trpc/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Api } from '../routers/index.js';
import type { BodyMemory } from './body-memory.js';
import { assertReadableQuery, createTextCoercion } from './coerce-text.js';
import { createCallerFactory, type RestContext } from './endpoint.js';
import { methodNotAllowedHandler, notFoundHandler } from './error-handler.js';
import { formatETag, parseIfMatch } from './etag.js';
import { type Endpoint, listEndpoints } from './find-endpoints.js';
import { parseJsonBody } from './json-body.js';
import { readMultipartForm } from './multipart-form.js';
import { createSearchableWait } from './prefer-header.js';
import { requestError } from './request-errors.js';
import { sendJson } from './send-json.js';

export interface ServeRestOptions {
  createApi: (req: Request, res: Response) => Api;
  maxJsonBytes: number;
  bodyMemory: BodyMemory;
  maxUploadBytes: number;
}

const FORM = 'multipart/form-data';

/** Serves a facade router on Express routes; mount errorHandler after it. */
export function serveRest(router: AnyRouter, options: ServeRestOptions): Router {
  const routes = Router({ caseSensitive: true });
  const endpoints = listEndpoints(router);
  const createCaller = createCallerFactory(router);
  for (const endpoint of endpoints) {
    const method = endpoint.meta.method.toLowerCase() as 'get';
    routes[method](
      toExpressPath(endpoint.meta.path),
      ...handlers(endpoint, callerOf(endpoint, createCaller), options),
    );
  }
  for (const [path, methods] of groupMethods(endpoints)) {
    routes.all(path, methodNotAllowedHandler(methods));
  }
  routes.use(notFoundHandler);
  return routes;
}

function handlers(endpoint: Endpoint, call: Call, options: ServeRestOptions): RequestHandler[] {
  const { meta, parts } = endpoint;
  const isForm = meta.contentTypes?.includes(FORM) ?? false;
  const [readQuery, readFields] = [createTextCoercion(parts.query), createTextCoercion(parts.body)];

  const answer: RequestHandler = async (req, res) => {
    assertReadableQuery(req.url);
    const expectedVersion = readExpectedVersion(req, endpoint);
    const api = options.createApi(req, res);
    const waitUntilSearchable = createSearchableWait(req, res, api);
    const form = isForm
      ? await readMultipartForm(req, {
          api,
          fileField: 'file',
          ...options,
          hold: (bytes) => options.bodyMemory.hold(res, bytes),
        })
      : undefined;
    const body = form ? readFields(form.fields) : req.body === undefined && meta.optionalBody ? {} : req.body;
    const input = { path: { ...req.params }, query: readQuery(req.query), ...(parts.body && { body }) };
    res.locals.input = input;
    const context: RestContext = {
      api,
      waitUntilSearchable,
      expectedVersion,
      setETag: (version) => res.set('ETag', formatETag(version)),
    };
    try {
      const data = await options.bodyMemory.during(res, call(context, input));
      // A replayed upload is a duplicate; delete it.
      if (res.getHeader('Idempotency-Replayed')) await form?.discard();
      res.status(meta.status ?? 200);
      if (meta.status === 204) res.end();
      else await sendJson(res, data);
    } catch (error) {
      await form?.discard();
      throw error;
    }
  };
  return parts.body && !isForm
    ? [...parseJsonBody(options.maxJsonBytes, options.bodyMemory), answer]
    : [answer];
}

type Call = (ctx: RestContext, input: object) => Promise<unknown>;

/** Calls the procedure of an endpoint. */
function callerOf({ name }: Endpoint, createCaller: (ctx: RestContext) => object): Call {
  const path = name.split('.');
  return (ctx, input) => {
    let found: unknown = createCaller(ctx);
    for (const key of path) found = (found as Record<string, unknown>)[key];
    return (found as (input: object) => Promise<unknown>)(input);
  };
}

/** If-Match cannot match a resource without ETag. */
function readExpectedVersion(req: Request, { meta }: Endpoint): number[] | undefined {
  if (meta.method === 'GET') return undefined;
  const expected = parseIfMatch(req.get('if-match'));
  if (expected === undefined || meta.versioned) return expected;
  throw requestError('precondition.failed', 'This has no ETag that If-Match could name.', [
    'header',
    'If-Match',
  ]);
}

/** Express matches a path with and without its trailing slash when it is given without. */
const toExpressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

function groupMethods(endpoints: Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { meta } of endpoints) {
    const path = toExpressPath(meta.path);
    methods.set(path, [...(methods.get(path) ?? []), meta.method]);
  }
  return methods;
}
