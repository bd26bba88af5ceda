import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LECTERN, startProgram } from '../support/run-command.js';
import { useServerProcess } from '../support/server-process.js';

/* The built commands, and a server that runs as a process of its own. */

const port = await findFreePort();
const address = `http://127.0.0.1:${port}`;
const server = useServerProcess({ PORT: String(port) });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-transfers-'));
  await server.start();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Where a server can start again. */
async function findFreePort(): Promise<number> {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  return port;
}

const begin = (command: 'export' | 'import', args: string[]) =>
  startProgram(['conversations', command, ...args], {});

const run = (command: 'export' | 'import', ...args: string[]) => begin(command, args).ended;
const at = (tenant: string) => ['--url', address, '--tenant', tenant];

const TIME = '2026-03-01T10:00:00.000000Z';
const header = (id: string, fields: object = {}) =>
  JSON.stringify({
    record: 'conversation',
    format: 1,
    id,
    tenantUnitId: 'sales',
    topic: 'Delivery',
    agentId: 'support',
    userId: 'ada',
    createdTime: TIME,
    updatedTime: TIME,
    ...fields,
  });
const message = (conversationId: string, id: string, fields: object = {}) =>
  JSON.stringify({
    record: 'message',
    conversationId,
    id,
    agentId: 'support',
    userId: 'ada',
    runId: 'run',
    messageFrom: 'user',
    content: 'Where is it?',
    requestedTime: TIME,
    sequence: 0,
    ...fields,
  });

/** A file of so many conversations. */
async function fileOf(name: string, lines: string[]): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const many = (count: number, messages: number, fields: object = {}) =>
  Array.from({ length: count }, (_, place) => {
    const id = `c-${String(place).padStart(5, '0')}`;
    return [
      header(id),
      ...Array.from({ length: messages }, (_, at) =>
        message(id, `${id}-${String(at).padStart(4, '0')}`, fields),
      ),
    ];
  }).flat();

test('what is exported from one tenant and imported into another is the same', async () => {
  const file = await fileOf('made.ndjson', [
    ...many(60, 3),
    ...many(1, 1_200).map((line) => line.replaceAll('c-0', 'long-0')),
  ]);
  const stored = await run('import', file, ...at('first'));
  expect(stored).toEqual({
    status: 0,
    stdout:
      'Stored 61 conversations and 1,380 messages; 0 conversations and 0 messages had been there before.\n',
    stderr: expect.stringMatching(/^import: 100%/m),
  });
  const exported = await run('export', ...at('first'));
  expect(exported).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/\n61 conversations and 1,380 messages\.\n$/),
  });
  const copy = path.join(folder, 'copy.ndjson');
  await writeFile(copy, exported.stdout);
  const reader = spawn(process.execPath, [LECTERN, 'conversations', 'import', '-', ...at('second')]);
  reader.stdin.end(exported.stdout);
  expect([await text(reader.stdout), await text(reader.stderr)]).toEqual([stored.stdout, '']);
  expect((await run('export', ...at('second'))).stdout).toBe(exported.stdout);
  const again = await run('import', copy, ...at('second'));
  expect(again).toMatchObject({
    status: 0,
    stdout:
      'Stored 0 conversations and 0 messages; 61 conversations and 1,380 messages had been there before.\n',
  });
});

test('filters, units and formats are options', async () => {
  const lines = [
    header('a', { status: 'failed' }),
    message('a', 'a-1'),
    header('b', { agentId: 'other' }),
    header('c'),
  ];
  await run('import', await fileOf('small.ndjson', lines), ...at('filtered'), '--unit', 'hr');
  const ids = async (...args: string[]) =>
    (await run('export', ...at('filtered'), ...args)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
  expect(await ids()).toEqual(['a', 'a-1', 'b', 'c']);
  expect(await ids('--statuses', 'failed', '--statuses', 'stopped')).toEqual(['a', 'a-1']);
  expect(await ids('--agent-id', 'other')).toEqual(['b']);
  expect(await ids('--conversation', 'a')).toEqual(['a', 'a-1']);
  expect(await ids('--unit', 'sales')).toEqual([]);
  const { stdout } = await run('export', ...at('filtered'), '--format', 'markdown', '--conversation', 'c');
  expect(stdout).toBe(
    `# Delivery\n\n- Conversation: c\n- Unit: hr\n- Agent: support\n- User: ada\n- Status: none\n- Created: ${TIME}\n\n`,
  );
});

test('lines that are at fault are told, and nothing of their conversations is stored', async () => {
  const lines = [
    message('nothing', 'x'),
    header('good-1'),
    message('good-1', 'g-1'),
    header('bad-1'),
    message('bad-1', 'b-1'),
    message('bad-1', 'b-2', { content: '\ud800', requestedTime: 'yesterday' }),
    header('bad-2'),
    '{"record":"message",',
    message('bad-2', 'b-3'),
    header('bad-3', { format: 2 }),
    message('bad-3', 'b-4'),
    header('bad-4', { status: 'sleeping' }),
    header('bad-5'),
    message('bad-5', 'g-1', { content: 'other' }),
    '[]',
    header('bad-6'),
    message('elsewhere', 'b-5'),
    header('good-2'),
    message('good-2', 'g-2'),
  ];
  const { status, stdout, stderr } = await run('import', await fileOf('bad.ndjson', lines), ...at('faulty'));
  expect(status).toBe(1);
  const told = stderr.split('\n').filter((line) => line.startsWith('Line '));
  expect(told).toEqual([
    'Line 1: conversationId: must be the id of the conversation in the lines before',
    'Line 8: is no JSON object',
    'Line 10: format: this version of lectern reads 1, not 2',
    'Line 15: record: must be conversation or message',
    'Line 17: conversationId: must be the id of the conversation in the lines before',
    'Line 6: content: must not contain NUL characters or unpaired surrogates',
    'Line 6: requestedTime: Invalid ISO datetime',
    expect.stringMatching(/^Line 12: status: Invalid option/),
  ]);
  expect(stdout).toBe(
    'Stored 2 conversations and 2 messages; 0 conversations and 0 messages had been there before.\n',
  );
  const { rows } = await server.pool.query(
    "select id from conversations where tenant_id = 'faulty' union all select id from messages where tenant_id = 'faulty' order by 1",
  );
  expect(rows.map(({ id }) => id)).toEqual(['g-1', 'g-2', 'good-1', 'good-2']);

  const taken = await fileOf('taken.ndjson', [header('new'), message('new', 'n-1'), message('new', 'g-1')]);
  expect(await run('import', taken, ...at('faulty'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'Line 3: id: Another message of this tenant has this id; use a new id for each message.\n',
    ),
  });
  const faults = await fileOf(
    'faults.ndjson',
    Array.from({ length: 130 }, () => 'nonsense'),
  );
  const all = (await run('import', faults, ...at('faulty'))).stderr.split('\n');
  expect(all.filter((line) => line.startsWith('Line '))).toHaveLength(100);
  expect(all).toContain('30 further faults.');
});

test('an import waits for a server that starts again, and stores everything once', async () => {
  const lines = many(400, 5, { content: 'x'.repeat(2_000) });
  const { written, ended } = begin('import', [await fileOf('restart.ndjson', lines), ...at('restarted')]);
  const count = async () =>
    Number(
      (await server.pool.query("select count(*) from conversations where tenant_id = 'restarted'")).rows[0]
        .count,
    );
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(0);
  await server.kill();
  await expect.poll(() => written.stderr, { timeout: 60_000 }).toContain('Trying again.');
  await server.start();
  expect(await ended).toMatchObject({ status: 0 });
  const exported = await run('export', ...at('restarted'));
  const idsOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
  expect(idsOf(exported.stdout)).toEqual(idsOf(lines.join('\n')));
});

test('an export goes on after the server has started again, and a reader that leaves ends it', async () => {
  const { child, ended } = begin('export', at('restarted'));
  await once(child.stdout!, 'data');
  await server.kill();
  await server.start();
  const { status, stdout } = await ended;
  expect(status).toBe(0);
  const whole = (await run('export', ...at('restarted'))).stdout;
  expect(whole.endsWith(stdout)).toBe(true);

  const leaving = begin('export', at('restarted'));
  await once(leaving.child.stdout!, 'data');
  leaving.child.stdout?.destroy();
  expect((await leaving.ended).status).toBe(141);
});

test.each<[string, 'export' | 'import', string[], number, RegExp]>([
  [
    'no server',
    'export',
    ['--tenant', 't'],
    2,
    /^Name the server: --url https:\/\/lectern\.example\.\nSee: lectern conversations export --help\n$/,
  ],
  ['no tenant', 'export', ['--url', address], 2, /^Name the tenant, with --tenant\.\n/],
  [
    'an unknown format',
    'export',
    [...at('t'), '--format', 'pdf'],
    2,
    /^--format must be ndjson, csv, markdown or html, not "pdf"\./,
  ],
  [
    'an unknown conversation',
    'export',
    [...at('t'), '--conversation', 'x'],
    1,
    /^conversationId: Conversation not found\.?\n$/,
  ],
  ['no file', 'import', at('t'), 2, /^Name one file, or - for standard input\.\n/],
  ['a file that is not there', 'import', ['/nowhere/x', ...at('t')], 1, /\/nowhere\/x/],
])('%s is told', async (_, command, args, status, stderr) => {
  expect(await run(command, ...args)).toEqual({ status, stdout: '', stderr: expect.stringMatching(stderr) });
});

test('both explain themselves', async () => {
  const help = await run('export', '--help');
  expect(help.stdout).toContain(
    'Usage: lectern conversations export --url URL --tenant TENANT [options] > FILE',
  );
  expect(help.stdout).toContain('--assignment-id');
  expect((await run('import', '--help')).stdout).toContain('Usage: lectern conversations import FILE');
});
