import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AppRouter } from '../../src/routers/index.js';
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

test('shows documents and conversations of all kinds at one link, and leaves nothing behind', async () => {
  const { started, until, end } = start();
  await until('Ctrl-C');
  const links = started.printed.match(/https?:\S+/g) ?? [];
  expect(links).toHaveLength(1);
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
    'delivery-note-scan.pdf': 'scanned',
    'floor-plan.png': 'unsupported_type',
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
  expect(help.started.printed).toContain('lectern demo [--port PORT]');
  expect(await once(start('--port', 'eighty').started.child, 'exit')).toEqual([2, null]);
  expectNothingLeft();
});
