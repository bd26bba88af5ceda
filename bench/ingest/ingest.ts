/**
 * Uploads every file of a folder and tells what became of each, and what requests of other callers felt of it.
 */
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTRPCClient, httpLink } from '@trpc/client';
import { quantile } from '../../src/cli/eval/quantile.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import type { AppRouter } from '../../src/routers/index.js';

const USAGE = `Usage: npm run bench -- ingest FOLDER [--limit N] [--seconds N]

Starts a server of its own with an empty embedded database, measures how long small requests take while nothing else
happens, uploads the files of FOLDER, measures again until all are processed, and prints both, their ratio, and how
the documents ended.

  --limit N     the first N files only
  --seconds N   how long to measure the idle server; default 20`;

const TENANT = 'bench';
const PLACE = { tenantId: TENANT, tenantUnitId: 'bench' };
/** Between one small request and the next. */
const PAUSE_MS = 10;
const UPLOADS_AT_A_TIME = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
});
const [folder] = positionals;
if (values.help || !folder) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

const { dataDir, remove } = await makeDataDir('bench');
try {
  const { address, stop } = await startServer({
    env: { ...process.env, HOST: '127.0.0.1', AUTH_MODE: 'open', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  await measure(address, folder).finally(stop);
} finally {
  await remove();
}

async function measure(address: string, folder: string): Promise<void> {
  const files = (await readdir(folder)).sort().slice(0, values.limit ? Number(values.limit) : undefined);
  const idle = await measureUntil(address, delay(Number(values.seconds) * 1000));
  const started = Date.now();
  const busy = await measureUntil(address, ingest(address, folder, files));
  const seconds = (Date.now() - started) / 1000;
  await tellEnds(address);
  process.stdout.write(
    `\n${files.length} files in ${seconds.toFixed(0)} s\n\nSmall requests, milliseconds:\n`,
  );
  for (const share of [0.5, 0.95, 0.99]) {
    const [a, b] = [quantile(idle, share), quantile(busy, share)];
    const ratio = (b / a).toFixed(2);
    process.stdout.write(
      `  p${share * 100}  idle ${a.toFixed(1)}  ingesting ${b.toFixed(1)}  ratio ${ratio}\n`,
    );
  }
  process.stdout.write(`  (${idle.length} and ${busy.length} requests)\n`);
}

/** Milliseconds of each small request made until `end`. */
async function measureUntil(address: string, end: Promise<unknown>): Promise<number[]> {
  let over = false;
  end.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const begin = performance.now();
    const answer = await fetch(`${address}/admin/api/v2/conversations?tenant_id=${TENANT}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    times.push(performance.now() - begin);
    await delay(PAUSE_MS);
  }
  await end;
  return times;
}

async function ingest(address: string, from: string, names: string[]): Promise<void> {
  const waiting = [...names];
  const uploadRest = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const form = new FormData();
      const fields = { ...PLACE, documentType: 'UnstructuredFile', datasetIds: 'bench' };
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set('file', await openAsBlob(path.join(from, name)), name);
      const answer = await fetch(`${address}/admin/api/v1/documents/upload`, { method: 'POST', body: form });
      if (!answer.ok) process.stdout.write(`${name}: ${answer.status} ${await answer.text()}\n`);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_A_TIME }, uploadRest));
  while ((await documents(address)).some(({ status }) => status === 'created' || status === 'processing')) {
    await delay(2_000);
  }
}

async function documents(address: string) {
  const { documents } = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc` })] });
  const all = [];
  for (let page = 1; ; page++) {
    const { items, totalCount } = await documents.list.query({ scope: PLACE, page, pageSize: 100 });
    all.push(...items);
    if (items.length === 0 || all.length >= totalCount) return all;
  }
}

async function tellEnds(address: string): Promise<void> {
  const ends = new Map<string, number>();
  for (const { documentName, documentSubType, status, chunkCount, error } of await documents(address)) {
    const type = documentSubType ?? path.extname(documentName ?? '').slice(1);
    const end = error ? `failed: ${error.code}` : status;
    ends.set(`${type} ${end}`, (ends.get(`${type} ${end}`) ?? 0) + 1);
    if (error) process.stdout.write(`${documentName}: ${error.code}: ${error.message}\n`);
    else if (chunkCount === 0) process.stdout.write(`${documentName}: ready without chunks\n`);
  }
  for (const [end, count] of [...ends].sort()) process.stdout.write(`${String(count).padStart(6)} ${end}\n`);
}
