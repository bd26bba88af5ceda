import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.js';
import { SMALL_FILE_BYTES } from '../limits/file-limits.js';
import type { SandboxTask } from './protocol.js';
import { createSandbox, type Sandbox, type SandboxHandlers, type SandboxLimits } from './sandbox.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-sandbox-'));
const LIMITS = {
  memoryBytes: 512 * 2 ** 20,
  timeoutMs: 60_000,
  inactivityTimeoutMs: 60_000,
};
const FILE = { characters: 1_000, chunks: 10, processorMs: 60_000 };
const [SMALL, LARGE] = [SMALL_FILE_BYTES, SMALL_FILE_BYTES + 1];
type TestSandbox = Sandbox<SandboxTask, unknown>;
const opened: TestSandbox[] = [];
/** How long a child takes here and now to start and to read nothing. */
let startMs = 0;

beforeAll(async () => {
  const began = performance.now();
  await open(program(DONE)).run(task(), handlers());
  startMs = performance.now() - began;
});

/** A limit that a child which is in order keeps, however busy the machine is. */
const atLeast = (ms: number): number => Math.max(ms, 10 * startMs);

afterAll(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A child program for each test: `emit` writes a line, `task` is what it is asked to do. */
function program(body: string): string {
  const file = path.join(folder, `${Math.random()}.mjs`);
  writeFileSync(
    file,
    `import { writeSync } from 'node:fs';
     const emit = (line) => writeSync(3, line + '\\n');
     process.on('message', async (task) => { ${body} });`,
  );
  return file;
}

function open(file: string, limits: Partial<SandboxLimits> = {}): TestSandbox {
  const sandbox = createSandbox<SandboxTask, unknown>({
    program: file,
    concurrency: 2,
    limits: { ...LIMITS, ...limits },
    log: pino({ level: 'silent' }),
  });
  opened.push(sandbox);
  return sandbox;
}

const task = (fields: Partial<SandboxTask> = {}): SandboxTask => ({
  path: '/nowhere',
  size: SMALL,
  limits: FILE,
  ...fields,
});
const handlers = (some: Partial<SandboxHandlers> = {}): SandboxHandlers => ({
  onProgress: () => {},
  onBatch: async () => {},
  ...some,
});
const DONE = `emit('d' + JSON.stringify({ subType: 'txt', mediaType: String(process.pid), chunkCount: 0 }));`;

it('reports progress and batches in order, then the result', async () => {
  const sandbox = open(program(`emit('p0.5'); emit('b[1]'); emit('p1.0'); emit('b[2]'); ${DONE}`));
  const seen: unknown[] = [];
  const outcome = await sandbox.run(
    task(),
    handlers({
      onProgress: (fraction) => seen.push(fraction),
      onBatch: async (batch) => void seen.push(batch),
    }),
  );
  expect(seen).toEqual([0.5, '[1]', 1, '[2]']);
  expect(outcome).toMatchObject({ subType: 'txt', chunkCount: 0 });
});

it('reuses a child, also after a file that failed', async () => {
  const sandbox = open(
    program(`if (task.path === 'bad') emit('f' + JSON.stringify({ code: 'corrupt', message: 'Damaged.', retryable: false }));
      else ${DONE}`),
  );
  const first = await sandbox.run(task(), handlers());
  await expect(sandbox.run(task({ path: 'bad' }), handlers())).rejects.toMatchObject({
    code: 'corrupt',
    message: 'Damaged.',
    retryable: false,
  });
  expect(await sandbox.run(task(), handlers())).toEqual(first);
});

it.each([
  ['an endless loop', `for (;;);`, { inactivityTimeoutMs: 5_000 }, 'timeout'],
  ['work without end', `setInterval(() => emit('p0.1'), 20);`, { timeoutMs: 5_000 }, 'timeout'],
  [
    'memory outside the heap',
    `globalThis.kept = []; setInterval(() => kept.push(Buffer.alloc(2 ** 25, 1)), 5);`,
    {},
    'out_of_memory',
  ],
  [
    'memory inside the heap',
    `const kept = []; for (;;) kept.push(new Array(1e4).fill(Math.random()));`,
    {},
    'out_of_memory',
  ],
  ['more output than anybody wants', `for (;;) emit('b[' + '1'.repeat(1e5) + ']');`, {}, 'too_much_text'],
  ['a line without an end', `for (;;) writeSync(3, '1'.repeat(1e5));`, {}, 'too_much_text'],
  ['a crash', `process.abort();`, {}, 'parser_crashed'],
  ['an exit', `process.exit(3);`, {}, 'parser_crashed'],
])('ends %s, and the next file is read', async (_, body, given, code) => {
  const limits = Object.fromEntries(Object.entries(given).map(([name, ms]) => [name, atLeast(ms)]));
  const sandbox = open(program(`if (task.path === 'bad') { ${body} } else { ${DONE} }`), limits);
  await expect(sandbox.run(task({ path: 'bad' }), handlers())).rejects.toMatchObject({
    code,
    retryable: false,
  });
  expect(await sandbox.run(task(), handlers())).toMatchObject({ chunkCount: 0 });
});

it('ends work that goes on for longer than its size allows, and counts no other file’s', async () => {
  const sandbox = open(
    program(`const end = performance.now() + (task.path === 'endless' ? 1e9 : 300);
      while (performance.now() < end) if (Math.random() < 1e-5) emit('p0.1');
      ${DONE}`),
  );
  const limits = { ...FILE, processorMs: 1_000 };
  for (let file = 0; file < 5; file++) {
    await expect(sandbox.run(task({ limits }), handlers())).resolves.toBeDefined();
  }
  await expect(sandbox.run(task({ path: 'endless', limits }), handlers())).rejects.toMatchObject({
    code: 'timeout',
    retryable: false,
  });
});

it('parses small files concurrently with large ones, in reserved slots', async () => {
  const sandbox = open(program(`emit('p0.1'); if (task.path === 'held') return; ${DONE}`));
  const stop = new AbortController();
  const begun: number[] = [];
  const held = [LARGE, LARGE, LARGE].map((size, place) =>
    sandbox
      .run(
        task({ path: 'held', size }),
        handlers({ signal: stop.signal, onProgress: () => begun.push(place) }),
      )
      .catch((reason: unknown) => reason),
  );
  await waitFor(() => begun.length === 2, { what: 'the large files to fill their slots' });
  for (let file = 0; file < 3; file++) {
    await expect(sandbox.run(task(), handlers())).resolves.toBeDefined();
  }
  expect(begun.sort()).toEqual([0, 1]);
  stop.abort('given up');
  expect(await Promise.all(held)).toEqual(['given up', 'given up', 'given up']);
  expect(begun.sort()).toEqual([0, 1]);
  await expect(sandbox.run(task({ size: LARGE }), handlers())).resolves.toBeDefined();
});

it('marks a file as retryable when the kernel killed its child', async () => {
  const sandbox = open(program(`process.kill(process.pid, 'SIGKILL');`));
  await expect(sandbox.run(task(), handlers())).rejects.toMatchObject({
    code: 'parser_crashed',
    retryable: true,
  });
});

it('reports a child that cannot be started', async () => {
  const sandbox = open(path.join(folder, 'missing.mjs'));
  await expect(sandbox.run(task(), handlers())).rejects.toMatchObject({ code: 'parser_crashed' });
});

it('pauses the inactivity timeout during backpressure', async () => {
  const inactivityTimeoutMs = atLeast(2_000);
  const sandbox = open(program(`emit('b[1]'); ${DONE}`), { inactivityTimeoutMs });
  const onBatch = () => delay(inactivityTimeoutMs * 1.5);
  await expect(sandbox.run(task(), handlers({ onBatch }))).resolves.toBeDefined();
});

it('passes on what its callbacks throw, and its caller’s reason to stop', async () => {
  const failing = new Error('the database is away');
  const sandbox = open(program(`emit('b[1]'); setTimeout(() => {}, 1e6);`));
  await expect(sandbox.run(task(), handlers({ onBatch: () => Promise.reject(failing) }))).rejects.toBe(
    failing,
  );
  const stop = new AbortController();
  const run = sandbox.run(
    task(),
    handlers({ signal: stop.signal, onBatch: async () => stop.abort(failing) }),
  );
  await expect(run).rejects.toBe(failing);
});

it('keeps the environment from the child', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://secret');
  const sandbox = open(program(`emit('d' + JSON.stringify(Object.keys(process.env)))`));
  const names = (await sandbox.run(task(), handlers())) as unknown as string[];
  vi.unstubAllEnvs();
  expect(names.filter((name) => !/^(TZ|LANG|LC_ALL|TMPDIR|NODE_CHANNEL_\w+)$/.test(name))).toEqual([]);
});

it('exits with its parent, also in an endless loop', async () => {
  const exitWithParent = path.resolve('dist/src/ingestion/sandbox/exit-with-parent.js');
  const child = path.join(folder, 'looping.mjs');
  writeFileSync(
    child,
    `import { exitWithParent } from ${JSON.stringify(exitWithParent)};
     exitWithParent();
     setTimeout(() => { console.log(process.pid); for (;;); }, 300);`,
  );
  const parent = spawn(process.execPath, [
    '-e',
    `require('node:child_process').fork(${JSON.stringify(child)}); setInterval(() => {}, 1000);`,
  ]);
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await waitFor(() => !isRunning(pid), { what: 'the child to end' });
});

/** One that has ended counts as such also while nobody has asked how. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.includes('Z');
}
