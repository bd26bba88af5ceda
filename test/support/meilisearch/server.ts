import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from './call.js';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';
import { createFaults, noSpaceForTask, type RawAnswer } from './faults.js';
import { createIndexes } from './indexes.js';
import type { Journal, WriteRequest } from './journal.js';
import { createKeys } from './keys.js';
import { ROUTES } from './routes.js';
import { createTasks } from './tasks.js';

export type Meilisearch = Awaited<ReturnType<typeof startMeilisearch>>;

export interface MeilisearchOptions {
  /** Of the loopback address; a free one where left out. */
  port?: number;
  masterKey?: string;
  /** Keeps the writes of one process for the next. */
  journal?: Journal;
}

/**
 * The part of Meilisearch that the service uses, in memory. It does only what the real server was seen doing: the same
 * assertions run against both. Anything else is answered with 501.
 */
export async function startMeilisearch({
  port = 0,
  masterKey = 'a-master-key-for-tests',
  journal,
}: MeilisearchOptions = {}) {
  const faults = createFaults();
  let state = createState();
  const server = http.createServer((request, response) => void receive(request, response));

  function createState(): State {
    return { indexes: createIndexes(), tasks: createTasks(faults), keys: createKeys(masterKey), faults };
  }

  async function receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const { rawAnswer } = faults;
    if (faults.answerDelayMs > 0) await sleep(faults.answerDelayMs, undefined, { ref: false });
    if (rawAnswer === 'reset') {
      request.socket.resetAndDestroy();
    } else if (rawAnswer) {
      response.writeHead(rawAnswer.status, rawAnswer.headers).end(rawAnswer.body);
    } else {
      const asked = toRequest(request, Buffer.concat(parts).toString());
      const { status, json } = answer(state, asked);
      if (asked.method !== 'GET' && status < 300) journal?.append(asked);
      response.writeHead(status, json === undefined ? {} : { 'content-type': 'application/json' });
      response.end(json);
    }
  }

  async function start({ isEmpty = false } = {}): Promise<void> {
    if (isEmpty) state = createState();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    state.tasks.resume();
  }

  async function stop(): Promise<void> {
    state.tasks.pause();
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  for (const asked of journal?.read() ?? []) answer(state, asked);
  state.tasks.finish();
  await start();

  return {
    url: `http://127.0.0.1:${port}`,
    masterKey,
    close: stop,
    /** As if the process were killed. The queue stands still, and connections are refused. */
    stop,
    /** On the same port, with what it held, or `isEmpty` as after the loss of its disk. */
    start,
    /** Every answer comes this much later. */
    delayAnswers(ms: number): void {
      faults.answerDelayMs = ms;
    },
    /** Every answer is this one, until it is called without one. */
    answerWith(answer?: RawAnswer): void {
      faults.rawAnswer = answer;
    },
    /** As behind a long task: nothing new begins. */
    holdTasks(): void {
      faults.areTasksHeld = true;
    },
    releaseTasks(): void {
      faults.areTasksHeld = false;
      state.tasks.wake();
    },
    /** Every task fails, by default as one whose temporary file finds no room; `null` ends it. */
    failTasks(error?: ApiError | null): void {
      faults.taskError = error === null ? undefined : error ? () => error : noSpaceForTask;
    },
    /** Every task that brings or deletes this document fails with an internal error. */
    failTasksWith(...documentIds: string[]): void {
      faults.poisonedIds = new Set(documentIds);
    },
    /** New work is refused, and the task at hand is processed for ever; searches go on. */
    fillDisk(): void {
      faults.isDiskFull = true;
    },
    freeDisk(): void {
      faults.isDiskFull = false;
      state.tasks.wake();
    },
  };
}

function toRequest({ method = '', url = '', headers }: http.IncomingMessage, text: string): WriteRequest {
  const { authorization, 'content-type': contentType = '' } = headers;
  return { method, url, authorization, contentType, text };
}

function answer(
  state: State,
  { method, url, authorization, contentType, text }: WriteRequest,
): { status: number; json?: string } {
  try {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    const { route, uid, id } = findRoute(method, pathname);
    const access = route.action
      ? state.keys.authorize(authorization, route.action, uid || undefined)
      : undefined;
    expectOnly(query.keys(), route.query, 'the query');
    const body = route.answer({ ...state, access: access!, uid, id, query, contentType, text });
    return { status: route.status, json: body === undefined ? undefined : JSON.stringify(body) };
  } catch (error) {
    const refusal = error instanceof ApiError ? error : new NotImplementedError(`what ended in ${error}`);
    return { status: refusal.status, json: JSON.stringify(refusal) };
  }
}

function findRoute(method: string, pathname: string) {
  for (const route of ROUTES) {
    const pattern = route.path.replace(/:(index|id)/g, (_, name) => `(?<${name}>[^/]+)`);
    const match = route.method === method && new RegExp(`^${pattern}$`).exec(pathname);
    if (!match) continue;
    const { index = '', id = '' } = match.groups ?? {};
    return { route, uid: decodeURIComponent(index), id: decodeURIComponent(id) };
  }
  throw new NotImplementedError(`${method} ${pathname}`);
}
