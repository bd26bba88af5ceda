import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { printError } from '../shared/print.js';
import { readLines } from '../shared/read-lines.js';
import { createSend, type Message, type Server } from './send-message.js';

const MIB = 2 ** 20;
/** Of a line: what a server takes, unless it is configured otherwise. */
const MAX_MESSAGE_BYTES = 16 * MIB;
/** Of all messages that have no answer yet. */
const MAX_WAITING_BYTES = 64 * MIB;
/** What a message takes besides its text. */
const MESSAGE_BYTES = 1_000;
/** Requests at a time. */
const MAX_REQUESTS = 16;

interface Streams {
  input: AsyncIterable<Uint8Array>;
  output: Writable;
}

/** Sends each line of the input to a server, and writes its answers as lines, until the input ends and all are answered. */
export async function relayMessages(server: Server, { input, output }: Streams): Promise<void> {
  const send = createSend(server);
  const requests = createConcurrencyLimit({ perKey: MAX_REQUESTS });
  const underWay = new Map<unknown, AbortController>();
  const pending = new Set<Promise<void>>();
  let waitingBytes = 0;
  // Each request may wait for the client to read, and so may what is wrong with a line.
  output.setMaxListeners(2 * MAX_REQUESTS);

  for await (const line of readLines(input, MAX_MESSAGE_BYTES)) {
    if (line?.trim() === '') continue;
    const message = line === undefined ? TOO_LARGE : read(line);
    const bytes = (line?.length ?? 0) + MESSAGE_BYTES;
    if (Array.isArray(message)) await write(failure(null, ...message));
    else if (waitingBytes + bytes > MAX_WAITING_BYTES)
      await fail(message, 'Too many messages have no answer yet.');
    else {
      waitingBytes += bytes;
      const relaying = relay(message, line as string);
      pending.add(relaying);
      relaying.finally(() => {
        waitingBytes -= bytes;
        pending.delete(relaying);
      });
    }
  }
  await Promise.all(pending);

  async function relay(message: Message, line: string): Promise<void> {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') underWay.get(params?.requestId)?.abort();
    const leaving = new AbortController();
    if (id !== undefined) underWay.set(id, leaving);
    try {
      const answers = await requests.run('', () => send(message, line, leaving.signal), leaving.signal);
      // Nobody waits for the answer of a notification.
      if (id !== undefined) for (const answer of answers) await write(answer);
    } catch (error) {
      if (!leaving.signal.aborted)
        await fail(message, error instanceof Error ? error.message : String(error));
    } finally {
      if (underWay.get(id) === leaving) underWay.delete(id);
    }
  }

  async function fail({ id }: Message, text: string): Promise<void> {
    printError(`${text}\n`);
    if (id !== undefined) await write(failure(id, -32_000, text));
  }

  /** Resolves when the client has read so much that more can be written. */
  async function write(message: object): Promise<void> {
    if (!output.write(`${JSON.stringify(message)}\n`)) await once(output, 'drain');
  }
}

/** The code of an error, and what is wrong. */
type Fault = [number, string];
const TOO_LARGE: Fault = [-32_600, `A message has at most ${MAX_MESSAGE_BYTES / MIB} MiB.`];
const NO_JSON: Fault = [-32_700, 'This is no JSON.'];
const NO_MESSAGE: Fault = [-32_600, 'Send one message of JSON-RPC in a line.'];

function read(line: string): Message | Fault {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return NO_JSON;
  }
  return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : NO_MESSAGE;
}

const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
