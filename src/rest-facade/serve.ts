import type { AnyRouter } from '@trpc/server';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Api } from '../routers/index.js';
import { type Endpoint, listEndpoints } from './endpoints.js';
import { answerUnknownPath, requestError } from './errors.js';
import { readForm } from './multipart.js';
import { createWait } from './prefer.js';
import { readJson } from './read-json.js';
import { requireReadable, textReader } from './read-text.js';
import type { RestContext } from './rest.js';
import { readIfMatch, toETag } from './versions.js';

export interface ServeOptions {
  createApi: (req: Request, res: Response) => Api;
  maxJsonBytes: number;
  maxUploadBytes: number;
}

const FORM = 'multipart/form-data';

/** Serves a facade router's endpoints on native Express routes; `answerErrors` has to stand behind them. */
export function serveRest(router: AnyRouter, options: ServeOptions): Router {
  const routes = Router({ caseSensitive: true });
  const endpoints = listEndpoints(router);
  for (const endpoint of endpoints) {
    const method = endpoint.rest.method.toLowerCase() as 'get';
    routes[method](toExpressPath(endpoint.rest.path), ...handlers(router, endpoint, options));
  }
  for (const [path, methods] of groupMethods(endpoints)) {
    routes.all(path, (req, res) => {
      const detail = [
        { type: 'method_not_allowed', loc: ['path'], msg: `${req.method} is not allowed here.` },
      ];
      const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      res.status(405).set('Allow', allowed.join(', ')).json({ detail });
    });
  }
  routes.use(answerUnknownPath);
  return routes;
}

function handlers(router: AnyRouter, endpoint: Endpoint, options: ServeOptions): RequestHandler[] {
  const { rest, parts } = endpoint;
  const isForm = rest.contentTypes?.includes(FORM) ?? false;
  const [readQuery, readFields] = [textReader(parts.query), textReader(parts.body)];

  const answer: RequestHandler = async (req, res) => {
    requireReadable(req.url);
    const expectedVersion = readExpectedVersion(req, endpoint);
    const api = options.createApi(req, res);
    const waitUntilSearchable = createWait(req, res, api);
    const form = isForm
      ? await readForm(req, { api, fileField: 'file', maxUploadBytes: options.maxUploadBytes })
      : undefined;
    const body = form ? readFields(form.fields) : req.body === undefined && rest.optionalBody ? {} : req.body;
    const input = { path: { ...req.params }, query: readQuery(req.query), ...(parts.body && { body }) };
    res.locals.input = input;
    const context: RestContext = {
      api,
      waitUntilSearchable,
      expectedVersion,
      tag: (version) => res.set('ETag', toETag(version)),
    };
    const caller = router.createCaller(context) as unknown as Record<
      string,
      Record<string, Call | undefined> | undefined
    >;
    const [area, verb] = endpoint.name.split('.') as [string, string];
    try {
      const data = await caller[area]?.[verb]?.(input);
      // What was uploaded again is not needed again.
      if (res.getHeader('Idempotency-Replayed')) await form?.discard();
      res.status(rest.status ?? 200);
      if (rest.status === 204) res.end();
      else res.json(data);
    } catch (error) {
      await form?.discard();
      throw error;
    }
  };
  return parts.body && !isForm ? [...readJson(options.maxJsonBytes), answer] : [answer];
}

/** A record without a version of its own cannot be the one that the caller has seen. */
function readExpectedVersion(req: Request, { rest }: Endpoint): number[] | undefined {
  if (rest.method === 'GET') return undefined;
  const expected = readIfMatch(req.get('if-match'));
  if (expected === undefined || rest.versioned) return expected;
  throw requestError('precondition.failed', 'This has no ETag that If-Match could name.', [
    'header',
    'If-Match',
  ]);
}

type Call = (input: unknown) => Promise<unknown>;

/** Express matches a path with and without its trailing slash when it is given without. */
const toExpressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

function groupMethods(endpoints: Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { rest } of endpoints) {
    const path = toExpressPath(rest.path);
    methods.set(path, [...(methods.get(path) ?? []), rest.method]);
  }
  return methods;
}
