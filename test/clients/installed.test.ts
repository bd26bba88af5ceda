import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from '../support/pack.js';
import { readyAddress } from '../support/ready-address.js';
import { waitFor } from '../support/wait-for.js';

/* The tarball, installed from the package registry into empty folders. */

const execute = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');
/** Nothing of a developer's or a CI's configuration of npm but the registry, the cache and the like. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_ENV$|VITEST)/.test(name)),
);
let home: string;
let tarball: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'lectern-installed-'));
  await chmod(home, 0o755); // the account of the embedded database must get in
  tarball = (await pack(home)).file;
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs a program to its end; where it fails, the error has what it printed. */
const run = (cwd: string, file: string, ...args: string[]) =>
  execute(file, args, { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });

describe('with npm install --omit=dev', () => {
  let app: string;
  beforeAll(async () => {
    app = path.join(home, 'app');
    await mkdir(app);
    await run(app, 'npm', 'install', '--omit=dev', '--no-audit', '--no-fund', tarball);
  });
  const lectern = (...args: string[]) => run(app, 'npx', '--no-install', 'lectern', ...args);

  test('there is neither a compiler nor a bundler, a canvas or telemetry, and all that is declared', async () => {
    const modules = await readdir(path.join(app, 'node_modules'), { recursive: true });
    const unwanted = /(^|node_modules\/)(typescript|@typescript|@napi-rs|@rollup|esbuild|@scarf)$/;
    expect(modules.filter((name) => unwanted.test(name))).toEqual([]);
    await run(app, 'npm', 'ls', '--all', '--omit=dev');
    // Packages that npm cannot account for would end these.
    await run(app, 'npm', 'ci', '--omit=dev', '--no-audit', '--no-fund', '--dry-run');
  });

  test('npx lectern tells what it can do', async () => {
    expect((await lectern('--help')).stdout).toContain('Usage: lectern [command] [options]');
    expect((await lectern('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await lectern('search', 'verify', '--help')).stdout).toContain('Usage: lectern search verify');
  });

  test('npx lectern serves, reads a PDF, and makes a key beside it', async () => {
    const server: ChildProcess = spawn('npx', ['--no-install', 'lectern'], {
      cwd: app,
      env: { ...env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true, // a group of its own, which is signalled together, as a terminal does
    });
    const exited = once(server, 'exit');
    let printed = '';
    for await (const text of server.stdout ?? []) {
      printed += text;
      if (readyAddress(printed)) break;
    }
    const address = readyAddress(printed);
    try {
      for (const route of [
        '/readyz',
        '/openapi.json',
        '/docs/swagger-ui-bundle.js',
        '/docs/swagger-ui.css',
      ]) {
        expect({ route, status: (await fetch(address + route)).status }).toEqual({ route, status: 200 });
      }
      const page = await fetch(`${address}/`, { headers: { accept: 'text/html' } });
      expect(await page.text()).toContain('<div id="console">');
      const documents = `${address}/admin/api/v1/documents`;
      const form = new FormData();
      const fields = {
        tenantId: 'acme',
        tenantUnitId: 'legal',
        datasetIds: 'faq',
        documentType: 'UnstructuredFile',
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(
        'file',
        await openAsBlob(path.join(repo, 'packages/file-to-markdown/test/fixtures/contract.pdf')),
        'contract.pdf',
      );
      const { id } = await answer(await fetch(`${documents}/upload`, { method: 'POST', body: form }));
      const read = async () => answer(await fetch(`${documents}/${id}?tenantId=acme`));
      const isDone = async () => !['created', 'processing'].includes((await read()).status);
      await waitFor(isDone, { what: 'the document to be processed' });
      expect(await read()).toMatchObject({ status: 'ready', documentSubType: 'pdf' });

      const { stdout } = await lectern('keys', 'create', '--tenant', 'acme', '--name', 'Website');
      expect(stdout).toMatch(/^lectern_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\n$/);
    } finally {
      process.kill(-(server.pid ?? 0), 'SIGINT');
      await exited;
    }
  });

  test('npx lectern eval measures a collection', async () => {
    await writeCollection(path.join(app, 'birds'));
    const { stdout } = await lectern('eval', '--engine', 'postgres', '--collection', 'birds', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        collection: 'birds',
        engine: 'postgres',
        mode: 'lexical',
        typos: 0,
        typed: 100,
        language: 'english',
        documents: 2,
        queries: 2,
        measures: { recallAt5: 1, recallAt10: 1, ndcgAt10: 1, mrrAt10: 1 },
        milliseconds: { p50: expect.any(Number), p95: expect.any(Number) },
        precision: Array.from({ length: 10 }, (_, tenth) => ({
          from: tenth / 10,
          hits: expect.any(Number),
          relevant: expect.any(Number),
        })),
      },
    ]);
  });
});

test('a React front end, checked with --strict', async () => {
  const project = path.join(home, 'front-end');
  await cp(path.join(import.meta.dirname, 'front-end'), project, { recursive: true });
  await run(project, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  await run(project, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', tarball);
  await run(project, 'npm', 'run', 'check');
});

async function answer(response: Response): Promise<any> {
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`);
  return body;
}

async function writeCollection(folder: string): Promise<void> {
  const lines = (items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  await mkdir(folder);
  const corpus = [
    { _id: 'heron', title: 'Herons', text: 'Herons stand in shallow water and wait for fish.' },
    { _id: 'swift', title: 'Swifts', text: 'Swifts sleep on the wing, high above the towns.' },
  ];
  const queries = [
    { _id: '1', text: 'Who waits for fish?' },
    { _id: '2', text: 'Who sleeps on the wing?' },
  ];
  await writeFile(path.join(folder, 'corpus.jsonl'), lines(corpus));
  await writeFile(path.join(folder, 'queries.jsonl'), lines(queries));
  await writeFile(path.join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\n1\theron\t1\n2\tswift\t1\n');
}
