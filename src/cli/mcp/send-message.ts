import { linkedController } from '../../async/linked-signals.js';
import { readAnswers } from './read-answers.js';

/** A message of JSON-RPC, of which little is read. */
export interface Message {
  id?: unknown;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

export interface Server {
  endpoint: URL;
  key: string | undefined;
  /** Longest time of an answer, in milliseconds. */
  deadlineMs?: number;
}

const DEADLINE_MS = 5 * 60_000;
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Makes a function that sends messages over Streamable HTTP, with the headers of their version of the protocol. */
export function createSend({ endpoint, key, deadlineMs = DEADLINE_MS }: Server) {
  /** As the handshake has agreed; versions from 2026-07-28 on have none, and name theirs in every request. */
  let agreed: string | undefined;

  /**
   * @param line the message as it was read
   * @returns the answers: none of a notification
   * @throws Error for people, if the server does not answer or refuses
   */
  return async function send(message: Message, line: string, signal: AbortSignal): Promise<object[]> {
    const { id, method } = message;
    const { status, answers } = await post(headersOf(message), line, signal);
    const own = answers.find((answer) => answer.id === id || answer.id === null);
    if (!own && (status > 299 || (id !== undefined && method !== undefined))) {
      const what = `${status}${status > 299 ? '' : ', but no message of MCP'}`;
      throw new Error(`${endpoint.origin} answered ${what}. Is --url the address of a Lectern server?`);
    }
    if (method === 'initialize') agreed = versionOf(own?.result) ?? agreed;
    // Of what was refused before it was read, the server does not know the id.
    return answers.map((answer) => (answer.id === null ? { ...answer, id } : answer));
  };

  async function post(headers: Headers, body: string, signal: AbortSignal) {
    const ending = linkedController(signal);
    const late = new Error(`no answer within ${deadlineMs / 1000} seconds`);
    const timer = setTimeout(() => ending.abort(late), deadlineMs);
    try {
      const options = { method: 'POST', headers, body, redirect: 'manual', signal: ending.signal } as const;
      const response = await fetch(endpoint, options);
      return { status: response.status, answers: await readAnswers(response) };
    } catch (error) {
      if (signal.aborted) throw error;
      const { cause = error } = error as Error;
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new Error(`${endpoint.origin} does not answer: ${message || code}`);
    } finally {
      clearTimeout(timer);
      ending.unlink();
    }
  }

  function headersOf({ method, params }: Message): Headers {
    const headers = new Headers({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    if (key) headers.set('authorization', `Bearer ${key}`);
    const own = params?._meta?.[VERSION];
    const version = typeof own === 'string' ? own : agreed;
    if (version !== undefined) headers.set('mcp-protocol-version', version);
    if (typeof own !== 'string') return headers;
    const name = method === 'resources/read' ? params?.uri : params?.name;
    if (typeof method === 'string') headers.set('mcp-method', method);
    if (typeof name === 'string') headers.set('mcp-name', encodeHeader(name));
    return headers;
  }
}

/** The version that a handshake has agreed on. */
function versionOf(result: unknown): string | undefined {
  const { protocolVersion } = (result ?? {}) as { protocolVersion?: unknown };
  const isDate = typeof protocolVersion === 'string' && /^\d{4}-\d\d-\d\d$/.test(protocolVersion);
  return isDate ? protocolVersion : undefined;
}

/** As the protocol has values in headers that hold plain ASCII alone. */
const encodeHeader = (value: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
