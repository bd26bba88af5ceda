import { readText } from '../../async/limit-bytes.js';

/** A message of JSON-RPC that a server sends. */
export interface Answer {
  jsonrpc: '2.0';
  id?: unknown;
  result?: unknown;
}

const MAX_MIB = 32;

/**
 * The messages of a response, in JSON or as events; none in anything else, such as the page of a proxy.
 *
 * @throws if it is larger than any answer of Lectern, or ends too early
 */
export async function readAnswers({ headers, body }: Response): Promise<Answer[]> {
  if (!body) return [];
  const text = await readText(body, MAX_MIB * 2 ** 20, () => new Error(`more than ${MAX_MIB} MiB`));
  const type = headers.get('content-type') ?? '';
  if (/^application\/json\b/i.test(type)) return readMessages([text]);
  return /^text\/event-stream\b/i.test(type) ? readMessages(dataOf(text)) : [];
}

/** The data of events, of which each has one line, as messages have no line breaks. */
const dataOf = (text: string): string[] =>
  text.split(/\r\n?|\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));

const readMessages = (texts: string[]): Answer[] =>
  texts.flatMap((text) => {
    try {
      const message = JSON.parse(text) as Answer | null;
      return message?.jsonrpc === '2.0' ? [message] : [];
    } catch {
      return [];
    }
  });
