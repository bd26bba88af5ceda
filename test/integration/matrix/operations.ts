import type { Permission } from '../../../src/auth/permissions.js';
import { tools as mcpTools } from '../../../src/mcp/tools/index.js';
import { listEndpoints } from '../../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../../src/rest-facade/index.js';
import { appRouter } from '../../../src/routers/index.js';
import { endpoints as contract, fillPath, type SampleRequest, toForm } from '../../contract/endpoints.js';
import { INTEGRATIONS, MCP, type RequestFor, restRequest, type Target, TRPC } from './requests.js';

/*
 * The operations as the routers list them, each with the request of its row: a new one fails the suite until it has
 * a row.
 */

export interface RawRequest {
  method: string;
  route: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Read to the end of its second event, the first after the connection. */
  isEndless?: boolean;
}

export interface Operation {
  name: string;
  title: string;
  /** What its row asks for; undefined where it has none. */
  row: RequestFor<object> | undefined;
  toRequest(asked: object): RawRequest;
}

export const endpoints: Operation[] = listEndpoints(restRouter).map(({ name, meta: { method, path } }) => {
  const row = contract.find((one) => one.method === method && one.path === path);
  return {
    name,
    title: `${method} ${path}`,
    row: row && restRequest(row),
    toRequest(asked) {
      const { path: ids, query = {}, body } = asked as SampleRequest;
      const parameters = new URLSearchParams();
      for (const [key, value] of Object.entries(query)) {
        for (const one of [value].flat()) parameters.append(key, one);
      }
      return {
        method,
        route: `${fillPath(path, ids)}?${parameters}`,
        body: row?.isForm ? toForm(body ?? {}) : body,
      };
    },
  };
});

export interface ProcedureOperation extends Operation {
  permissions: Permission[];
  isForAnyKey: boolean;
}

export const procedures: ProcedureOperation[] = Object.entries(appRouter._def.procedures as object).map(
  ([name, { _def }]) => ({
    name,
    title: name,
    row: TRPC[name],
    permissions: _def.meta?.permissions ?? [],
    isForAnyKey: _def.meta?.isForAnyKey ?? false,
    toRequest: (input) =>
      _def.type === 'mutation'
        ? { method: 'POST', route: `/trpc/${name}`, body: input }
        : {
            method: 'GET',
            route: `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
            // The other subscription ends, as documents are ready.
            isEndless: name === 'messages.follow',
          },
  }),
);

/** Files that are sent as they are, each by the procedure whose input it takes. */
export const downloads: ProcedureOperation[] = [
  { name: 'conversations.export', path: '/exports/conversations' },
].map(({ name, path }) => ({
  name,
  title: `GET ${path}`,
  row: TRPC[name],
  permissions: procedures.find((one) => one.name === name)?.permissions ?? [],
  isForAnyKey: false,
  toRequest: (input) => ({
    method: 'GET',
    route: `${path}?input=${encodeURIComponent(JSON.stringify(input))}`,
  }),
}));

/** The tools of MCP, by the procedure that each calls. */
export const tools: ProcedureOperation[] = mcpTools.map((tool) => ({
  name: tool.procedure,
  title: tool.name,
  row: MCP[tool.name],
  permissions: procedures.find(({ name }) => name === tool.procedure)?.permissions ?? [],
  isForAnyKey: false,
  toRequest(asked) {
    const { tenantId, tenantUnitId, ...args } = asked as Record<string, string>;
    const parameters = new URLSearchParams({
      ...(tenantId && { tenantId }),
      ...(tenantUnitId && { tenantUnitId }),
    });
    return {
      method: 'POST',
      route: `/mcp?${parameters}`,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: args } },
    };
  },
}));

/** What is asked of an integration: by its way of naming a dataset, and the procedure that it calls. */
const SENT: Record<string, { procedure: string; send: (dataset: string, unit?: string) => RawRequest }> = {
  'Dify: retrieval': {
    procedure: 'chunks.search',
    send: (dataset, unit) => ({
      method: 'POST',
      route: '/integrations/dify/retrieval',
      body: {
        knowledge_id: unit === undefined ? dataset : `${unit}/${dataset}`,
        query: 'secret recipe',
        retrieval_setting: {},
        metadata_condition: {
          conditions: [{ name: 'document.name', comparison_operator: 'not empty' }],
        },
      },
    }),
  },
  'OpenAI: retrieve': {
    procedure: 'reach.datasets',
    send: (dataset, unit) => ({ method: 'GET', route: storePath(dataset, unit) }),
  },
  'OpenAI: search': {
    procedure: 'chunks.search',
    send: (dataset, unit) => ({
      method: 'POST',
      route: `${storePath(dataset, unit)}/search`,
      body: { query: 'secret recipe', filters: { type: 'exists', key: 'document.name' } },
    }),
  },
};
const STORES = '/integrations/openai/v1/vector_stores';
/** Names of fixtures have letters, digits and hyphens alone. */
const storePath = (dataset: string, unit?: string) =>
  `${STORES}/vs_${unit === undefined ? '' : `${unit}.`}${dataset}`;

/** The requests of integrations. Where they name no dataset, the query names the unit. */
export const integrations: ProcedureOperation[] = Object.entries(INTEGRATIONS).map(([title, row]) => {
  const { procedure, send } = SENT[title] ?? { procedure: 'reach.datasets' };
  return {
    name: procedure,
    title,
    row,
    permissions: procedures.find(({ name }) => name === procedure)?.permissions ?? [],
    isForAnyKey: false,
    toRequest(asked) {
      const { tenantId, tenantUnitId, dataset } = asked as Record<string, string | undefined>;
      const query = new URLSearchParams({
        ...(tenantId !== undefined && { tenantId }),
        ...(dataset === undefined && tenantUnitId !== undefined && { tenantUnitId }),
      });
      const request =
        send && dataset !== undefined ? send(dataset, tenantUnitId) : { method: 'GET', route: STORES };
      return { ...request, route: `${request.route}?${query}` };
    },
  };
});

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends a request to a server, and gives the whole of its answer but for what is new each time. */
export async function send(
  address: string,
  { method, route, body, headers: own, isEndless = false }: RawRequest,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(new URL(route, address), {
    method,
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...own, ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  });
  // Bodies are compared without durations, whose digits are counted here.
  const {
    'x-request-id': _id,
    date: _date,
    'content-length': _length,
    ...told
  } = Object.fromEntries(response.headers);
  const text = isEndless ? await readEvents(response, 2) : await response.text();
  return { status: response.status, headers: told, body: text };
}

/** Reads so many server-sent events, or a body that has fewer, and closes the connection. */
async function readEvents({ body }: Response, count: number): Promise<string> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.split('\n\n').length > count) break;
  }
  return text;
}

/** Takes out the ids that were asked for, and what differs between any two answers: new ids and times. */
export function anonymise(answer: RawAnswer, ...targets: Target[]): RawAnswer {
  let { body } = answer;
  for (const [name, value] of targets.flatMap((target) => Object.entries(target))) {
    if (value !== undefined) body = body.replaceAll(value, `<${name}>`);
  }
  body = body
    .replace(/lectern_\w{62}/, '<new key>')
    .replace(/"id":"[0-9A-Za-z]{12}"/, '"id":"<new id>"')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<new id>')
    .replace(/erased:[0-9a-f]{16}/g, 'erased:<hash>')
    .replace(/"durationMs":[\d.e-]+/g, '"durationMs":"<time>"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { ...answer, body };
}
