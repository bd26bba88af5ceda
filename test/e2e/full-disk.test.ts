import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.js';
import { readyAddress } from '../support/ready-address.js';
import { LECTERN, startProgram } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/*
 * The server in a mount namespace of its own, with a small file system in memory for a folder that becomes full. Root may
 * make one; where nobody may, these tests are skipped.
 */

const MIB = 2 ** 20;
const DOCUMENTS = '/admin/api/v1/documents';

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', os.tmpdir()]);
    return true;
  } catch (error) {
    console.warn(`SKIPPED: tests of full disks need the right to mount (${(error as Error).message})`);
    return false;
  }
}

/** What to undo, the last first. */
const cleanups: (() => unknown)[] = [];
let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-test-full-'));
  fs.chmodSync(folder, 0o755);
  cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts the server, with a file system of `mib` MiB at its data folder; its output goes to a file there if `logs`. */
async function start(mib: number, env: Record<string, string>, { logs = false } = {}) {
  const script = `mount -t tmpfs -o size=${mib}m,mode=755 none "$0" && exec "$@" ${logs ? '> "$0/log" 2>&1' : ''}`;
  const command = ['--mount', 'sh', '-c', script, folder, process.execPath, LECTERN];
  const child = spawn('unshare', command, {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  cleanups.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  /** As this process sees the folder. */
  const seen = `/proc/${child.pid}/root${folder}`;
  const printed = () => (logs ? fs.readFileSync(path.join(seen, 'log'), 'utf8') : output);
  const isAlive = () => {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${output}`);
  };
  const address = await waitFor(() => readyAddress(printed()), { what: 'the server' }).catch((error) => {
    throw new Error(output, { cause: error });
  });
  const filler = path.join(seen, 'filler');
  return {
    address,
    seen,
    isAlive,
    fill() {
      const file = fs.openSync(filler, 'a');
      try {
        for (const bytes of [MIB, 4096]) {
          try {
            for (;;) fs.writeSync(file, Buffer.alloc(bytes));
          } catch (error) {
            expect(error).toMatchObject({ code: 'ENOSPC' });
          }
        }
      } finally {
        fs.closeSync(file);
      }
    },
    free: () => fs.rmSync(filler),
  };
}

/** Runs a command with a file system of that size at the folder, which is listed afterwards. */
async function runWithDisk(size: string, args: string[], env: Record<string, string>) {
  const script = `mount -t tmpfs -o size=${size},mode=755 none "$0" && "$@"; status=$?; ls -A "$0"; exit $status`;
  const command = ['--mount', 'sh', '-c', script, folder, process.execPath, LECTERN, ...args];
  const { PATH } = process.env;
  const child = spawn('unshare', command, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ]);
  return { status, stdout, stderr };
}

type Server = Awaited<ReturnType<typeof start>>;

async function send({ address }: Server, method: string, route: string, body?: object | FormData) {
  const isForm = body instanceof FormData;
  const response = await fetch(address + route, {
    method,
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: answer && JSON.parse(answer),
  };
}

const FIELDS = { tenantId: 'acme', tenantUnitId: 'sales', documentType: 'UnstructuredFile' };

function upload(server: Server, content: string) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...FIELDS, datasetIds: '[]' })) body.set(name, value);
  body.set('file', new File([content], 'a.txt'));
  return send(server, 'POST', `${DOCUMENTS}/upload`, body);
}

const create = (server: Server, fields: object) =>
  send(server, 'POST', `${DOCUMENTS}?tenantId=acme`, { ...FIELDS, ...fields });
const statusOf = async (server: Server, id: string) =>
  (await send(server, 'GET', `${DOCUMENTS}/${id}?tenantId=acme`)).body.status;
const untilReady = (server: Server, id: string) =>
  waitFor(async () => (await statusOf(server, id)) === 'ready', { what: `${id} to be ready` });

const filesIn = (root: string) =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => name !== 'filler');

describe.skipIf(!mayMount())('when the disk is full', () => {
  test('uploads answer 503, sources wait, and both go on when there is room', async () => {
    const database = await createTestDatabase();
    cleanups.push(() => database.drop());
    const server = await start(24, { DATABASE_URL: database.url });
    const before = await upload(server, 'Stored before.');
    await untilReady(server, before.body.id);
    const stored = filesIn(server.seen);
    server.fill();

    const refused = await upload(server, 'No room for this. '.repeat(10_000));
    expect(refused).toMatchObject({
      status: 503,
      retryAfter: '2',
      body: { detail: [{ type: 'unavailable' }] },
    });
    expect(filesIn(server.seen)).toEqual(stored);
    // What is too long to be processed in memory goes through a file.
    const waiting = await create(server, { documentContent: 'Waits for room. '.repeat(10_000) });
    expect(waiting.status).toBe(200);
    const { id } = waiting.body;
    await waitFor(
      async () => {
        const job = await send(
          server,
          'GET',
          `/trpc/documents.get?input=${encodeURIComponent(JSON.stringify({ scope: { tenantId: 'acme' }, documentId: id }))}`,
        );
        return job.body.result.data.error !== null;
      },
      { what: 'the document to meet the full disk' },
    );
    expect(await statusOf(server, id)).toBe('processing');

    server.free();
    expect((await upload(server, 'Stored after.')).status).toBe(200);
    await untilReady(server, id);
    server.isAlive();
  });

  test('an embedded PostgreSQL without room refuses writes, and takes them again', async () => {
    const server = await start(160, {});
    const before = await create(server, { documentContent: 'Stored before.' });
    await untilReady(server, before.body.id);
    server.fill();
    const statuses = new Set<number>();
    await waitFor(
      async () => {
        const { status } = await create(server, { documentContent: 'No room for this. '.repeat(20_000) });
        statuses.add(status);
        return status !== 200;
      },
      { what: 'the disk to be too full' },
    );
    statuses.delete(200);
    expect([...statuses]).toEqual([503]);

    server.free();
    const after = await waitFor(
      async () => {
        const answer = await create(server, { documentContent: 'Stored after.' });
        return answer.status === 200 && answer;
      },
      { what: 'writes to be taken' },
    );
    await untilReady(server, after.body.id);
    await untilReady(server, before.body.id);
    server.isAlive();
  });

  test('an import of conversations waits for room, loses nothing, and stores nothing twice', async () => {
    const server = await start(160, {});
    await untilReady(server, (await create(server, { documentContent: 'Stored before.' })).body.id);
    const place = { agentId: 'a', userId: 'u', tenantUnitId: 'sales' };
    const time = '2026-03-01T10:00:00.000000Z';
    // More than there is room for, and hard to compress.
    const lines = Array.from({ length: 60 }, (_, at) => [
      { record: 'conversation', format: 1, id: `c-${at}`, ...place, createdTime: time, updatedTime: time },
      {
        ...{
          record: 'message',
          conversationId: `c-${at}`,
          id: `m-${at}`,
          agentId: 'a',
          userId: 'u',
          runId: 'r',
        },
        ...{
          messageFrom: 'user',
          content: randomBytes(150_000).toString('hex'),
          requestedTime: time,
          sequence: 1,
        },
      },
    ]).flat();
    const file = `${folder}-import.ndjson`;
    cleanups.push(() => fs.rmSync(file, { force: true }));
    fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const args = (command: string, ...more: string[]) =>
      ['conversations', command, ...more, '--url', server.address, '--tenant', 'acme'] as string[];
    server.fill();
    const { written, ended } = startProgram(args('import', file), {});
    await waitFor(() => written.stderr.includes('answered 503. Trying again.'), { what: 'the full disk' });
    server.free();
    const stored =
      'Stored 60 conversations and 60 messages; 0 conversations and 0 messages had been there before.\n';
    expect(await ended).toMatchObject({ status: 0, stdout: stored });
    server.isAlive();

    const exported = await startProgram(args('export'), {}).ended;
    const contents = (records: { id: string; content?: string }[]) =>
      new Map(records.map(({ id, content }) => [id, content]));
    const found = exported.stdout.split('\n').filter(Boolean);
    expect(contents(found.map((line) => JSON.parse(line)))).toEqual(contents(lines));
    expect(found).toHaveLength(lines.length);
    expect(await startProgram(args('import', file), {}).ended).toMatchObject({
      status: 0,
      stdout:
        'Stored 0 conversations and 0 messages; 60 conversations and 60 messages had been there before.\n',
    });
  });

  test('a backup, an export and a restore name the full disk, and leave nothing half done', async () => {
    const [database, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
    cleanups.push(() => Promise.all([database.drop(), empty.drop()]));
    const server = await start(24, { DATABASE_URL: database.url });
    await untilReady(server, (await upload(server, 'Longer than a page of memory. '.repeat(1_000))).body.id);
    const env = { DATABASE_URL: database.url, DATA_DIR: server.seen };
    const noSpaceIn = (place: string) =>
      `There is no space left in ${place} (ENOSPC: no space left on device, `;
    const advice = 'Free some, or use a folder on another disk, and run this again.';

    for (const args of [
      ['backup', '--to', `${folder}/monday`],
      ['tenant', 'export', 'acme', '--to', `${folder}/monday`],
    ]) {
      const { status, stdout, stderr } = await runWithDisk('16k', args, env);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      const said = stderr.split('\n').at(-2);
      expect(said?.replace(/(?<=device, )\w+/, 'CALL')).toBe(
        `${noSpaceIn(`${folder}/monday`)}CALL). ${advice}`,
      );
    }

    const backup = `${folder}-backup`;
    cleanups.push(() => fs.rmSync(backup, { recursive: true, force: true }));
    expect((await runWithDisk('1m', ['backup', '--to', backup], env)).status).toBe(0);
    const target = { DATABASE_URL: empty.url, DATA_DIR: backup, STORAGE_URL: `file:${folder}/files` };
    const restored = await runWithDisk('16k', ['restore', backup], target);
    expect(restored.status).toBe(1);
    expect(restored.stderr.split('\n').at(-2)).toBe(
      `The file storage fails. ${noSpaceIn(`${folder}/files`)}write). ${advice} Files are where STORAGE_URL says, else in DATA_DIR.`,
    );
  });

  test('a log that cannot be written ends nothing', async () => {
    const database = await createTestDatabase();
    cleanups.push(() => database.drop());
    const server = await start(
      8,
      { DATABASE_URL: database.url, STORAGE_URL: `file:${os.tmpdir()}/none` },
      { logs: true },
    );
    server.fill();
    for (let i = 0; i < 300; i++)
      expect((await send(server, 'GET', `${DOCUMENTS}?tenantId=acme`)).status).toBe(200);
    server.isAlive();
    server.free();
    const log = path.join(server.seen, 'log');
    const before = fs.statSync(log).size;
    await waitFor(
      async () => {
        await send(server, 'GET', `${DOCUMENTS}?tenantId=acme`);
        return fs.statSync(log).size > before;
      },
      { what: 'the log to go on' },
    );
  });
});
