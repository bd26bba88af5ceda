import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { abortable } from '../async/timeouts.js';
import { createServer, type ServerOptions } from './create-server.js';

interface McpRequest extends ServerOptions {
  /** Only the headers of the protocol are read. */
  headers: Headers;
  body: unknown;
  /** Fires when the client leaves. */
  signal: AbortSignal;
}

/**
 * Answers a message of the protocol, of any version, with a server of its own: no state is kept, so any process answers any
 * request. Answers are JSON, or a stream that has ended already.
 *
 * @throws the reason of `signal`
 */
export async function answerMcp({ headers, body, signal, ...options }: McpRequest): Promise<Response> {
  const request = new Request('http://lectern.invalid/mcp', { method: 'POST', headers, signal });
  if (!(await isLegacyRequest(request, body))) {
    const handler = createMcpHandler(() => createServer(options), { legacy: 'reject' });
    return abortable(signal, handler.fetch(request, { parsedBody: body }));
  }
  // As the SDK serves these versions, but for its streams.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer(options);
  await server.connect(transport);
  try {
    return await abortable(signal, transport.handleRequest(request, { parsedBody: body }));
  } finally {
    await server.close();
  }
}
