import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  /** From sending the request until the last byte. */
  milliseconds: number;
  headers: http.IncomingHttpHeaders;
  body: unknown;
}

export interface HttpClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  /** Sends any request, with further headers. */
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
}

/**
 * Sends requests to a server over connections that stay open. Any status but 2xx is an error.
 *
 * @param common headers of every request
 */
export function createHttpClient(address: string, common: Record<string, string> = {}): HttpClient {
  const agent = new http.Agent({ keepAlive: true });

  async function send(
    method: string,
    path: string,
    body?: object,
    further: Record<string, string> = {},
  ): Promise<Answer> {
    const json = body && JSON.stringify(body);
    const headers = {
      ...common,
      ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
      ...further,
    };
    const begin = performance.now();
    const request = http.request(address + path, { method, agent, headers });
    request.end(json);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const received = await text(response);
    const milliseconds = performance.now() - begin;
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299)
      throw new Error(`${path} answered ${statusCode}: ${received.slice(0, 500)}`);
    return {
      milliseconds,
      headers: response.headers,
      body: received === '' ? undefined : JSON.parse(received),
    };
  }

  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    send,
    close: () => agent.destroy(),
  };
}
