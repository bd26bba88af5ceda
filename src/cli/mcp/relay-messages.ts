import { createInterface } from 'node:readline';
import { printError } from '../shared/print.js';
import { createSend, type Message, type Server } from './send-message.js';

/** Sends each line of standard input to a server, and writes its answers as lines, until the input ends and all are answered. */
export async function relayMessages(server: Server): Promise<void> {
  const send = createSend(server);
  const underWay = new Map<unknown, AbortController>();
  const pending = new Set<Promise<void>>();

  async function relay(message: Message): Promise<void> {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') underWay.get(params?.requestId)?.abort();
    const leaving = new AbortController();
    if (id !== undefined) underWay.set(id, leaving);
    try {
      const answers = await send(message, leaving.signal);
      // Nobody waits for the answer of a notification.
      if (id !== undefined) for (const answer of answers) write(answer);
    } catch (error) {
      if (leaving.signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      printError(`${text}\n`);
      if (id !== undefined) write(failure(id, -32_000, text));
    } finally {
      underWay.delete(id);
    }
  }

  for await (const line of createInterface({ input: process.stdin })) {
    const message = read(line);
    if (message === undefined) continue;
    const relaying =
      message === null ? Promise.resolve(write(failure(null, -32_700, 'This is no JSON.'))) : relay(message);
    pending.add(relaying);
    relaying.finally(() => pending.delete(relaying));
  }
  await Promise.all(pending);
}

/** Null for what is no message; undefined for an empty line. */
function read(line: string): Message | null | undefined {
  if (line.trim() === '') return undefined;
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' ? (message as Message | null) : null;
  } catch {
    return null;
  }
}

const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
