import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { permissions } from '../../src/auth/permissions.js';
import { findTesseract } from '../../src/ingestion/extraction/engines/tesseract/find-tesseract.js';
import type { AppRouter } from '../../src/routers/index.js';
import { authorize } from '../support/oidc-server.js';
import { LECTERN } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/* `npm run demo`, after its build: what it shows, and that nothing is left. */

let temp: string;
let demo: { child: ChildProcess; printed: string } | undefined;

beforeAll(() => {
  temp = mkdtempSync(path.join(os.tmpdir(), 'lectern-demo-test-'));
  chmodSync(temp, 0o755); // started by root, the database runs under an account that must get in
});
afterEach(() => {
  demo?.child.kill('SIGKILL');
});
afterAll(() => rmSync(temp, { recursive: true, force: true }));

/** Its variables would lead elsewhere, if they counted. */
function start(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    TMPDIR: temp,
    DATABASE_URL: 'postgres://absent.invalid/x',
    PORT: '1',
  };
  const child = spawn(process.execPath, [LECTERN, 'demo', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = { child, printed: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      started.printed += text;
    });
  }
  demo = started;
  const until = (text: string) =>
    waitFor(() => started.printed.includes(text) || child.exitCode !== null, { what: `"${text}"` });
  const end = async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => {
    const ended = once(child, 'exit');
    child.kill(signal);
    return ended;
  };
  return { started, until, end };
}

function expectNothingLeft(): void {
  expect(readdirSync(temp)).toEqual([]);
  if (process.platform === 'linux') expect(programsWith(temp)).toEqual([]);
}

/** What runs with a text among its arguments. */
const programsWith = (text: string): string[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });

/** The providers that a process has started. */
const providersOf = (parent: number | undefined): string[] =>
  execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([ppid, , ...args]) => ppid === String(parent) && args.join(' ').includes('oidc/provider.js'))
    .map(([, pid = '']) => pid);

test('shows documents and conversations of all kinds at one link, and leaves nothing behind', async () => {
  const { started, until, end } = start();
  await until('Ctrl-C');
  const links = started.printed.match(/https?:\S+/g) ?? [];
  expect(links).toHaveLength(1);
  const tesseract = await findTesseract();
  if (tesseract) expect(started.printed).not.toContain('apt-get');
  else expect(started.printed).toContain('apt-get install tesseract-ocr');
  const link = new URL(links[0] ?? '');
  expect(Object.fromEntries(link.searchParams)).toEqual(
    link.pathname === '/docs' ? {} : { tenant: 'demo', unit: 'demo' },
  );

  const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${link.origin}/trpc` })] });
  const scope = { tenantId: 'demo', tenantUnitId: 'demo' };
  const { items } = await trpc.documents.list.query({ scope, pageSize: 50 });
  const codes = items.flatMap(({ documentName, error }) => (error ? [[documentName, error.code]] : []));
  expect(Object.fromEntries(codes)).toEqual({
    'december.html': 'http_status',
    ...(tesseract ? {} : { 'delivery-note-scan.pdf': 'scanned' }),
    'floor-plan.png': tesseract ? 'nothing_recognized' : 'scanned',
    'meeting-minutes-cut-off.docx': 'corrupt',
    'salary-bands-protected.pdf': 'encrypted',
  });
  const ready = items.filter(({ status }) => status === 'ready');
  expect(new Set(ready.map(({ documentSubType }) => documentSubType))).toEqual(
    new Set(['csv', 'docx', 'eml', 'html', 'md', 'pdf', 'pptx', 'txt', 'xlsx']),
  );
  expect(ready.filter(({ title }) => /\p{sc=Han}/u.test(title ?? ''))).toHaveLength(4);

  const mended = items.find(({ documentName }) => documentName === 'december.html')?.id ?? '';
  await trpc.documents.reprocess.mutate({ scope, documentId: mended });
  await expect
    .poll(() => trpc.documents.get.query({ scope, documentId: mended }))
    .toMatchObject({ status: 'ready', error: null });

  const first = async (datasetId: string, query: string) =>
    (await trpc.chunks.search.query({ scope, datasetIds: [datasetId], query }))[0]?.documentName;
  expect(await first('help-center', 'How often is the coffee machine descaled?')).toBe('coffee-machine.pdf');
  expect(await first('help-center', '滤网多久更换一次？')).toBe('空气净化器使用说明.pdf');
  expect(await first('help-center', 'Opening hours in December')).toBe('december.html');
  expect(await first('handbook', '年假有多少天？')).toBe('员工手册.docx');

  const conversations = (await trpc.conversations.list.query({ scope, pageSize: 50 })).items;
  expect(new Set(conversations.map(({ status }) => status)).size).toBe(11);
  for (const { id: conversationId, status } of conversations) {
    const { items } = await trpc.messages.list.query({ scope, conversationId, pageSize: 50 });
    expect(items[0]).toMatchObject({ messageFrom: 'user', runId: expect.stringMatching(/./) });
    const answers = items.filter(({ messageFrom }) => messageFrom === 'agent');
    for (const { eventTrace, totalTokens } of answers) {
      expect(JSON.parse(eventTrace ?? '')).toContainEqual(expect.objectContaining({ sequence: 1 }));
      expect(totalTokens).toBeGreaterThan(0);
    }
    expect({ status, hasAnswer: answers.length > 0 }).toEqual({ status, hasAnswer: status !== 'submitted' });
  }

  expect(await end('SIGINT')).toEqual([0, null]);
  expectNothingLeft();
});

test('with a provider, its users sign in, and see what they may', async () => {
  const { started, until, end } = start('--oidc', '--port', '0');
  await until('Ctrl-C');
  const [, console = ''] = /^ {2}(http:\/\/\S+)$/m.exec(started.printed) ?? [];
  const { origin } = new URL(console);
  const [, provider = ''] = /The provider at (\S+)/.exec(started.printed) ?? [];
  const [, key = ''] = /(lectern_\w+)/.exec(started.printed) ?? [];
  expect(started.printed).toContain('Ada Park');
  const { issuer, token_endpoint: tokenEndpoint } = await (
    await fetch(`${provider}/.well-known/openid-configuration`)
  ).json();
  expect(issuer).toBe(provider);

  const redirectUri = 'http://127.0.0.1:5173/';
  /** As the page in examples/react-oidc: authorization code with PKCE. */
  const signIn = async (user: string) => {
    const verifier = 'a'.repeat(43);
    const start = new URL(`${provider}/auth`);
    start.search = String(
      new URLSearchParams({
        client_id: 'lectern-example',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile email',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
    );
    const code = (await authorize(start, redirectUri, user)).searchParams.get('code') ?? '';
    const grant = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    return exchange(grant);
  };
  const exchange = async (grant: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'lectern-example', ...grant });
    const answer = await fetch(tokenEndpoint, {
      method: 'POST',
      body,
      headers: { origin: 'http://127.0.0.1:5173' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'http://127.0.0.1:5173',
    ]);
    return (await answer.json()) as Record<string, string>;
  };
  const call = (headers: Record<string, string>) =>
    createTRPCClient<AppRouter>({ links: [httpLink({ url: `${origin}/trpc`, headers })] });
  const as = (tokens: Record<string, string>) => call({ authorization: `Bearer ${tokens.access_token}` });

  const ada = await signIn('ada');
  const idClaims = JSON.parse(Buffer.from(ada.id_token?.split('.')[1] ?? '', 'base64url').toString());
  expect(idClaims).toMatchObject({
    aud: 'lectern-example',
    sub: 'ada',
    name: 'Ada Park',
    email: 'ada@demo.example',
    tenant_id: 'demo',
    groups: ['support-admins'],
  });
  const renewed = await exchange({ grant_type: 'refresh_token', refresh_token: ada.refresh_token ?? '' });
  expect((await as(renewed).session.get.query()).user).toEqual({
    id: 'ada',
    name: 'Ada Park',
    email: 'ada@demo.example',
    role: null,
    issuer: provider,
    tenantId: 'demo',
    scopes: [...permissions],
    tenantUnitIds: null,
    datasetIds: null,
    expiresTime: expect.any(String),
  });
  expect((await as(ada).conversations.list.query({})).totalCount).toBeGreaterThan(10);
  const oskar = await as(await signIn('oskar')).conversations.list.query({});
  expect(oskar.items.map(({ tenantId, topic }) => [tenantId, topic])).toEqual([
    ['acme', '更换送货时间'],
    ['acme', 'Invoice 2204'],
  ]);

  // To the console, too, which goes on with what somebody had opened.
  const status = await (await fetch(origin, { headers: { accept: 'application/json' } })).json();
  const [{ url }] = status.signIn;
  const arrived = await authorize(new URL(`${url}?return_to=/members`), `${origin}/members`, 'oskar');
  expect(arrived.href).toBe(`${origin}/members?tenant=acme`);

  const dana = await signIn('dana');
  const scopesOf = async () => (await as(dana).session.get.query()).user?.scopes;
  expect(await scopesOf()).toEqual([]);
  const { members } = call({ 'x-api-key': key });
  const scope = { tenantId: 'demo' };
  const find = async () => (await members.list.query({ scope, userId: 'dana' })).items[0]?.id;
  await expect.poll(find).toEqual(expect.any(String));
  await members.setRole.mutate({ scope, memberId: (await find()) ?? '', role: 'viewer' });
  expect(await scopesOf()).toEqual(['conversations:read', 'documents:read', 'chunks:read', 'search']);

  expect(await end('SIGINT')).toEqual([0, null]);
  expectNothingLeft();
  await expect(fetch(provider)).rejects.toThrow();
});

test('killed with a provider, takes that along', async () => {
  const { started, until, end } = start('--oidc', '--port', '0');
  await until('Starting');
  const providers = providersOf(started.child.pid);
  await end('SIGKILL');
  if (process.platform !== 'linux') return;
  expect(providers).toHaveLength(1);
  await expect.poll(() => providers.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

test('ends half-way, and removes what a killed one has left', async () => {
  const killed = start();
  await killed.until('conversations');
  await killed.end('SIGKILL');
  expect(readdirSync(temp)).toHaveLength(1);

  const next = start();
  await next.until('Starting');
  expect(await next.end('SIGTERM')).toEqual([0, null]);
  expectNothingLeft();
});

test('that fails leaves nothing behind, either', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { started } = start('--port', String((other.address() as net.AddressInfo).port));
  expect(await once(started.child, 'exit')).toEqual([1, null]);
  other.close();
  expect(started.printed).toContain('is taken');
  expectNothingLeft();
});

test('explains itself, and refuses what is no port', async () => {
  const help = start('--help');
  expect(await once(help.started.child, 'exit')).toEqual([0, null]);
  expect(help.started.printed).toContain('lectern demo [--port PORT] [--oidc]');
  expect(await once(start('--port', 'eighty').started.child, 'exit')).toEqual([2, null]);
  expectNothingLeft();
});
