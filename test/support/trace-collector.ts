import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  events: string[];
  links: string[];
  /** 2 is an error. */
  status: number | undefined;
}

/** An OTLP/HTTP endpoint on the loopback address that takes `http/json`. */
export async function startTraceCollector() {
  const state = {
    spans: [] as CollectedSpan[],
    resources: [] as Record<string, unknown>[],
    headers: [] as NodeJS.Dict<string | string[]>[],
    /** All that came, in any protocol. */
    bytes: '',
    /** What it answers; a success where absent. */
    answer: undefined as ((response: ServerResponse) => void) | undefined,
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    state.headers.push(request.headers);
    state.bytes += body.toString('latin1');
    if (request.headers['content-type'] === 'application/json') collect(JSON.parse(body.toString()));
    if (state.answer) state.answer(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  function collect({ resourceSpans = [] }: any): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      state.resources.push(toRecord(resource.attributes));
      for (const { spans } of scopeSpans) state.spans.push(...spans.map(toSpan));
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const toSpan = (span: any): CollectedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || undefined,
  name: span.name,
  kind: span.kind,
  attributes: toRecord(span.attributes),
  events: (span.events ?? []).map(({ name }: any) => name),
  links: (span.links ?? []).map(({ spanId }: any) => spanId),
  status: span.status?.code,
});

const toRecord = (attributes: any[] = []): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [given] = Object.values(value);
      return [key, 'intValue' in value ? Number(given) : given];
    }),
  );
