import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';

/*
 * A client that others generate from the served openapi.json, a project of its own with tools that this one does not
 * need, calls the server over HTTP. Its tools come from the package registries.
 */

const execute = promisify(execFile);
/** Runs a program; what it printed is told where it fails, since compilers say there what is wrong. */
const run = (file: string, args: string[], options: { cwd?: string } = {}) =>
  execute(file, args, options).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
const app = useApp();
const HERE = import.meta.dirname;
let folder: string;
let openApi: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-clients-'));
  openApi = path.join(folder, 'openapi.json');
  await writeFile(openApi, await (await fetch(`${app.address}/openapi.json`)).text());
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What it was answered. */
const ANSWERS = {
  created: [201, 'Refund', { order: '1042' }, 'ana'],
  listed: [1, [['Refund', 0]]],
  uploaded: [200, 'refunds.txt', 'ready'],
  found: [['A refund is paid within thirty days.', 'refunds.txt']],
  missing: [404, [{ type: 'not_found', loc: ['path', 'documentId'], msg: 'Document not found.' }]],
};

test('a TypeScript client, checked with --strict', async () => {
  const project = path.join(folder, 'typescript');
  await cp(path.join(HERE, 'typescript'), project, { recursive: true });
  await cp(openApi, path.join(project, 'openapi.json'));
  const npm = (...args: string[]) => run('npm', args, { cwd: project });
  await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
  await npm('run', 'generate');
  const [made, kept] = [path.join(project, 'api.ts'), path.resolve(HERE, '../../openapi.d.ts')];
  // After the line that says what it was made from.
  expect((await readFile(kept, 'utf8')).replace(/^.*\n\n/, '')).toBe(await readFile(made, 'utf8'));
  await npm('run', 'build');
  const { stdout } = await npm('run', '--silent', 'call', '--', app.address);
  expect(JSON.parse(stdout)).toEqual(ANSWERS);
});
