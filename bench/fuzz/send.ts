import { Agent, request } from 'node:http';
import type { FuzzRequest } from './fuzz-request.js';

export interface FuzzAnswer {
  status: number;
  contentType: string;
  body: string;
}

const TIMEOUT_MS = 120_000;
/** Enough to find an id in an answer, and to see that an error has the documented shape. */
const KEPT_CHARACTERS = 100_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** @throws when the connection ends without an answer, or there is none in time */
export async function send(
  address: string,
  { method, route, headers, body }: FuzzRequest,
  own: Record<string, string> = {},
): Promise<FuzzAnswer> {
  const encoded = new Response(body ?? null);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const formType =
    body instanceof FormData ? { 'Content-Type': encoded.headers.get('content-type') ?? '' } : {};
  const length = body === undefined ? {} : { 'Content-Length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}${route}`,
      { agent, method, headers: { ...formType, ...headers, ...own, ...length }, timeout: TIMEOUT_MS },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          if (text.length < KEPT_CHARACTERS) text += part;
          // A stream of events goes on until somebody ends it; its beginning is enough.
          if (response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy();
        });
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: text,
          }),
        );
        response.on('error', () => {});
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(bytes);
  });
}
