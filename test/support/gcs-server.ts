import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { CRC32C } from '@google-cloud/storage';

interface StoredObject {
  bytes: Buffer;
  generation: number;
  updated: string;
  contentType: string | undefined;
}

type Answer = { status: number; headers?: Record<string, string>; json?: unknown; bytes?: Buffer };

export type GcsServer = Awaited<ReturnType<typeof startGcsServer>>;

/**
 * The part of Google Cloud Storage's JSON interface that its own client uses for what we do: objects in one request
 * or in chunks, their metadata, lists and deletion. It answers as the public emulators and the documentation say.
 */
export async function startGcsServer(...buckets: string[]) {
  const stores = new Map(buckets.map((name) => [name, new Map<string, StoredObject>()]));
  const uploads = new Map<
    string,
    { bucket: string; name: string; type: string | undefined; bytes: Buffer }
  >();
  let generation = Date.now() * 1000;
  let port = 0;
  let server: http.Server;
  const state = { denied: false };

  function store(bucket: string, name: string, bytes: Buffer, contentType: string | undefined): Answer {
    generation++;
    const object = { bytes, generation, updated: new Date().toISOString(), contentType };
    stores.get(bucket)?.set(name, object);
    return { status: 200, json: describe(bucket, name, object) };
  }

  function answer(request: http.IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url ?? '', `http://127.0.0.1:${port}`);
    const [, bucket = '', rest] = /\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const objects = stores.get(bucket);
    if (state.denied) return failure(403, 'The caller does not have storage.objects access.');
    if (!objects) return failure(404, 'The specified bucket does not exist.');
    if (url.pathname.startsWith('/upload/')) return upload(request, url, bucket, body);
    if (rest === undefined) return list(bucket, objects, url.searchParams.get('prefix') ?? '');
    const name = decodeURIComponent(rest);
    const object = objects.get(name);
    if (!object) return failure(404, `No such object: ${bucket}/${name}`);
    if (request.method === 'DELETE') {
      objects.delete(name);
      return { status: 204 };
    }
    if (url.searchParams.get('alt') !== 'media') return { status: 200, json: describe(bucket, name, object) };
    const headers = { 'x-goog-hash': `crc32c=${crc32c(object.bytes)}` };
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (start !== undefined)
      return { status: 206, bytes: object.bytes.subarray(Number(start), Number(end) + 1) };
    return { status: 200, headers, bytes: object.bytes };
  }

  function upload(request: http.IncomingMessage, url: URL, bucket: string, body: Buffer): Answer {
    const name = url.searchParams.get('name') ?? '';
    const type = request.headers['x-upload-content-type'] as string | undefined;
    if (url.searchParams.get('uploadType') === 'multipart') {
      const part = secondPart(body, request.headers['content-type'] ?? '');
      return store(bucket, name, part.bytes, part.type);
    }
    const id = url.searchParams.get('upload_id');
    if (!id) {
      const created = `${uploads.size}`;
      uploads.set(created, { bucket, name, type, bytes: Buffer.alloc(0) });
      url.searchParams.set('upload_id', created);
      return { status: 200, headers: { location: url.href } };
    }
    const session = uploads.get(id);
    if (!session) return failure(404, 'Upload session not found.');
    const [, total] = /\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '') ?? [];
    session.bytes = Buffer.concat([session.bytes, body]);
    if (total === '*') return { status: 308, headers: { range: `bytes=0-${session.bytes.length - 1}` } };
    uploads.delete(id);
    return store(bucket, name, session.bytes, session.type);
  }

  async function start(): Promise<void> {
    server = http.createServer(async (request, response) => {
      const parts: Buffer[] = [];
      try {
        for await (const part of request) parts.push(part);
      } catch {
        return;
      }
      const { status, headers, json, bytes } = answer(request, Buffer.concat(parts));
      response.writeHead(status, {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      });
      response.end(bytes ?? (json === undefined ? undefined : JSON.stringify(json)));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  }

  async function kill(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  await start();
  process.env.STORAGE_EMULATOR_HOST = `http://127.0.0.1:${port}`;

  return {
    state,
    start,
    kill,
    put: (bucket: string, name: string, bytes: Buffer, type?: string) => store(bucket, name, bytes, type),
    names: (bucket: string) => [...(stores.get(bucket)?.keys() ?? [])],
    async stop() {
      delete process.env.STORAGE_EMULATOR_HOST;
      if (server.listening) await kill();
    },
  };
}

function crc32c(bytes: Buffer): string {
  const sum = new CRC32C();
  sum.update(bytes);
  return sum.toString();
}

function describe(bucket: string, name: string, { bytes, generation, updated, contentType }: StoredObject) {
  return {
    kind: 'storage#object',
    bucket,
    name,
    size: String(bytes.length),
    generation: String(generation),
    etag: Buffer.from(String(generation)).toString('base64'),
    updated,
    contentType,
    crc32c: crc32c(bytes),
  };
}

function list(bucket: string, objects: Map<string, StoredObject>, prefix: string): Answer {
  const items = [...objects].filter(([name]) => name.startsWith(prefix));
  return {
    status: 200,
    json: { kind: 'storage#objects', items: items.map(([name, object]) => describe(bucket, name, object)) },
  };
}

const failure = (code: number, message: string): Answer => ({
  status: code,
  json: { error: { code, message, errors: [{ message, domain: 'global', reason: 'x' }] } },
});

/** Of multipart/related: the first part is metadata, the second the object. */
function secondPart(body: Buffer, contentType: string): { bytes: Buffer; type: string | undefined } {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '';
  const start = body.indexOf(`--${boundary}`, boundary.length + 2);
  const head = body.indexOf('\r\n\r\n', start);
  const end = body.lastIndexOf(`\r\n--${boundary}--`);
  const type = /content-type: *([^\r\n]+)/i.exec(body.subarray(start, head).toString())?.[1];
  return { bytes: body.subarray(head + 4, end), type };
}
