import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../bench/support/chromium.js';
import { startDemoProvider } from '../../demo/oidc/demo-provider.js';
import { findFreePort } from '../../src/cli/demo/find-free-port.js';
import { readConfig } from '../../src/config/config.js';
import { findText } from '../integration/support/find-text.js';
import { useApp } from '../support/app.js';
import { pack } from '../support/pack.js';

/*
 * What is in examples/, as its READMEs say, against a server. Packages come from the registries. python.test.ts has those in
 * Python.
 */

const execute = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');
const POLICY = path.join(repo, 'demo/documents/travel-policy.docx');
const QUESTION = 'How much may a hotel "room" cost in London?';
const locked = useApp({ authMode: 'required' });
const open = useApp();
const pagePort = await findFreePort();
const pageOrigin = `http://127.0.0.1:${pagePort}`;
/** Of the console, which nobody signs in to here. */
const publicUrl = 'http://127.0.0.1:8080';
const provider = await startDemoProvider({
  port: 0,
  publicUrl,
  examplePages: [`${pageOrigin}/`],
});
const { authIssuers } = readConfig({
  AUTH_MODE: 'required',
  PUBLIC_URL: publicUrl,
  AUTH_ISSUERS: JSON.stringify(provider.issuer),
});
const trusting = useApp({ authMode: 'required', authIssuers, corsOrigins: [pageOrigin] });
let home: string;
let tarball: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'lectern-examples-'));
  tarball = (await pack(home)).file;
  const { key } = await locked.makeKey({
    scope: { tenantId: 'example' },
    scopes: ['documents:read', 'documents:write', 'search', 'conversations:read', 'messages:write'],
  });
  env = { ...process.env, LECTERN_URL: locked.address, LECTERN_KEY: key };
});
afterAll(async () => {
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a program to its end; where it fails, the error has what it printed. */
const run = (cwd: string, file: string, ...args: string[]) =>
  execute(file, args, { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });

/** Without what it needs, a program says how it is used. */
async function expectUsage(cwd: string, file: string, args: string[], usage: string): Promise<void> {
  const called = execute(file, args, { cwd, env });
  await expect(called).rejects.toMatchObject({ code: 2, stdout: '', stderr: `Usage: ${usage}\n` });
}

async function copyExample(name: string): Promise<string> {
  const folder = path.join(home, name);
  await cp(path.join(repo, 'examples', name), folder, { recursive: true });
  return folder;
}

async function installExample(name: string): Promise<string> {
  const folder = await copyExample(name);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run(folder, 'npm', 'install', ...quiet);
  await run(folder, 'npm', 'install', '--no-save', ...quiet, tarball);
  return folder;
}

describe('in TypeScript', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installExample('typescript');
    await run(folder, 'npm', 'run', 'build');
  });

  test('the client', async () => {
    const { stdout, stderr } = await run(folder, 'node', 'built/client.js', POLICY, QUESTION);
    expect(stdout).toContain('190 euros in London');
    expect(stderr).toMatch(/sent (\d+) of \1 bytes\n[\s\S]*ready\n$/);
  });

  test('the client, told what is wrong', async () => {
    const wrong = { ...env, LECTERN_KEY: 'wrong' };
    const call = execute('node', ['built/client.js', POLICY, QUESTION], { cwd: folder, env: wrong });
    await expect(call).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\n401 A valid API key/),
    });
  });

  test.each(['mcp', 'openai'])('%s', async (name) => {
    const { stdout, stderr } = await run(folder, 'node', `built/${name}.js`, QUESTION);
    expect(stdout).toContain('190 euros in London');
    expect(stderr).toBe('');
  });

  test('agent', async () => {
    const { stdout, stderr } = await run(folder, 'node', 'built/agent.js', QUESTION);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`user: ${QUESTION}`);
    expect(stdout).toMatch(/^agent: [\s\S]*190 euros in London/m);
    expect(stderr).toBe('');
    const { items } = await locked
      .trpc({ 'x-api-key': env.LECTERN_KEY as string })
      .conversations.list.query({ scope: { tenantId: 'example' } });
    expect(items).toMatchObject([{ topic: QUESTION, userId: 'ada', messageCount: 2 }]);
  });

  test('agent, whose question in Chinese is found, and whose user is erased', async () => {
    const question = '伦敦的酒店每晚可以花多少钱？ (hotel, London)';
    const { stdout } = await run(folder, 'node', 'built/agent.js', question);
    expect(stdout).toMatch(/^agent: [\s\S]*190 euros in London/m);
    const { key } = await locked.makeKey({
      scope: { tenantId: 'example' },
      scopes: ['conversations:read', 'users:erase'],
    });
    const { messages, users } = locked.trpc({ 'x-api-key': key });
    const scope = { tenantId: 'example' };
    const find = async () => (await messages.search.query({ scope, query: '酒店 多少钱' })).hits;
    const asked = (await find()).find(({ messageId }) => messageId !== null);
    expect(asked).toMatchObject({ topic: question, passage: question });
    const { id: erasureId } = await users.erase.mutate({ scope, userId: 'ada' });
    await expect
      .poll(() => users.erasure.query({ scope, erasureId }), { timeout: 60_000 })
      .toMatchObject({ finishedTime: expect.any(String) });
    expect(await find()).toEqual([]);
    await expect.poll(() => findText(locked.db, '每晚'), { timeout: 60_000 }).toEqual([]);
  });

  test('all, called without arguments', async () => {
    for (const name of ['mcp', 'openai', 'agent'])
      await expectUsage(folder, 'node', [`built/${name}.js`], `node built/${name}.js QUESTION`);
    await expectUsage(folder, 'node', ['built/client.js'], 'node built/client.js FILE QUESTION');
    await expectUsage(folder, 'node', ['built/rest.js', 'text'], 'node built/rest.js TEXT QUESTION');
  });

  test('the REST API', async () => {
    const { stdout } = await run(folder, 'node', 'built/rest.js', 'Refunds take five days.', 'How long?');
    expect(stdout).toBe('');
    const again = await run(
      folder,
      'node',
      'built/rest.js',
      'A parcel takes two days.',
      'How long are refunds?',
    );
    expect(again.stdout).toMatch(/^0\.\d\d {2}Refunds take five days\.\n/);
  });
});

test('in a shell, with curl', async () => {
  execFileSync('curl', ['--version'], { stdio: 'ignore' });
  const folder = path.join(repo, 'examples/curl');
  await expectUsage(folder, './ask.sh', [], './ask.sh FILE QUESTION');
  const { stdout, stderr } = await run(folder, './ask.sh', POLICY, QUESTION);
  expect(JSON.parse(stdout)[0]).toMatchObject({ content: expect.stringContaining('190 euros in London') });
  expect(stderr).toBe('ready\n');
});

const browserPath = findChromium();
const withBrowser = test.skipIf(browserPath === undefined && !process.env.CI);

/** Checks and builds an example, and opens its preview in a browser; fails where the page printed an error. */
async function withPage(
  name: string,
  { variables, port = 0 }: { variables: NodeJS.ProcessEnv; port?: number },
  work: (page: Page, address: string) => Promise<void>,
): Promise<void> {
  if (browserPath === undefined) throw new Error('Chromium is needed for the page; set CHROMIUM.');
  const folder = await installExample(name);
  const settings = { cwd: folder, env: { ...env, ...variables } };
  await execute('npm', ['run', 'check'], settings);
  await execute('npm', ['run', 'build'], settings);
  const args = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', String(port)];
  const preview = spawn('node', args, settings);
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    let printed = '';
    for await (const text of preview.stdout) {
      printed += text;
      if (/http:\S+:\d+/.test(printed.replace(ESCAPES, ''))) break;
    }
    const address = /http:\S+/.exec(printed.replace(ESCAPES, ''))?.[0] ?? '';
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(address);
    await work(page, address);
    const pictures = process.env.SCREENSHOTS;
    if (pictures) await page.screenshot({ path: path.join(pictures, `example-${name}.png`) });
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    if (preview.kill()) await once(preview, 'exit');
  }
}

withBrowser('a React page', async () => {
  await withPage('react', { variables: { LECTERN_URL: open.address } }, async (page) => {
    await page.getByText('There are no documents yet.').waitFor();
    await page.getByLabel('Add a file').setInputFiles(POLICY);
    await page.getByText('travel-policy.docx: ready').waitFor();
    await page.getByLabel('Question').fill(QUESTION);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('190 euros in London').first().waitFor();
  });
});

withBrowser('a React page whose users sign in', async () => {
  const scope = { tenantId: 'acme' };
  const { key } = await trusting.makeKey({ scope });
  const { conversations } = trusting.trpc({ 'x-api-key': key });
  await conversations.create.mutate({ scope: { ...scope, tenantUnitId: 'support' }, topic: 'Invoice 2204' });
  const { key: foreign } = await trusting.makeKey({ scope: { tenantId: 'demo' } });
  const other = trusting.trpc({ 'x-api-key': foreign }).conversations;
  await other.create.mutate({
    scope: { tenantId: 'demo', tenantUnitId: 'demo' },
    topic: 'Of another tenant',
  });
  const variables = { VITE_LECTERN_URL: trusting.address, VITE_ISSUER: provider.url };
  await withPage('react-oidc', { variables, port: pagePort }, async (page, address) => {
    const signIn = page.getByRole('button', { name: 'Sign in' });
    await signIn.click();
    await page.getByRole('button', { name: 'Oskar Lind' }).click();
    await page.getByRole('heading', { name: 'Tenant acme' }).waitFor();
    await page.getByText('Invoice 2204').waitFor();
    expect(new URL(page.url()).href).toBe(address);
    await page.reload();
    await page.getByText('Invoice 2204').waitFor();
    expect(await page.getByRole('listitem').locator('strong').allTextContents()).toEqual(['Invoice 2204']);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out of the provider' }).click();
    await signIn.waitFor();
    await signIn.click();
    await page.getByRole('button', { name: '陈伟' }).click();
    await page.getByText('Of another tenant').waitFor();
  });
});

/** Colours of a terminal. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
