import http from 'node:http';
import type { Readable } from 'node:stream';

export interface RawRequest {
  method: string;
  /** Path and query, sent as they are: nothing is normalised or encoded on the way. */
  target: string;
  headers?: Record<string, string | number>;
  body?: string | Uint8Array | Readable;
}

export interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  body: any;
}

/** Sends what no well-behaved client would send. Rejects when the connection breaks before the answer is whole. */
export function sendRaw(
  address: string,
  { method, target, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const isStream = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    const length =
      isStream || body === undefined ? {} : { 'content-length': Buffer.byteLength(body as string) };
    const request = http.request({
      hostname,
      port,
      method,
      path: target,
      headers: { ...length, ...headers },
      agent: false,
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        try {
          resolve({ status, headers, text, body: text === '' ? undefined : JSON.parse(text) });
        } catch {
          reject(new Error(`not JSON: ${text}`));
        }
        request.destroy();
      });
    });
    request.on('error', reject);
    if (isStream) (body as Readable).pipe(request);
    else request.end(body);
  });
}
