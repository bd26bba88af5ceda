import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRestClient, TENANT_UNIT } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { startMeilisearch } from '../support/meilisearch/server.js';
import {
  type CommandName,
  commandNames,
  type Environment,
  findDatabaseUrl,
  runCommand,
  runForJson,
  startCommand,
} from '../support/run-command.js';

// Each command is a process of its own.

const double = await startMeilisearch();
afterAll(() => double.close());

/** A service that knows of no search server: there are the commands alone. */
const app = useApp();
let env: Environment;
beforeAll(async () => {
  const DATABASE_URL = await findDatabaseUrl(app.db);
  env = { DATABASE_URL, MEILI_URL: double.url, MEILI_ADMIN_KEY: double.masterKey };
  await createRestClient(app).createDocument({ documentContent: 'Herons stand in the water.' }, ['faq']);
  await app.settle();
});

const QUERY = [
  'herons',
  '--tenant',
  TENANT_UNIT.tenantId,
  '--unit',
  TENANT_UNIT.tenantUnitId,
  '--dataset',
  'faq',
];
const argumentsOf = (name: CommandName) => (name === 'query' ? QUERY : []);

describe.concurrent('called wrongly, or asked for help', () => {
  test.each<[CommandName, string[], string]>([
    ['status', ['now'], "Unexpected argument 'now'."],
    ['verify', ['--fix'], "Unknown option '--fix'."],
    ['settings', ['undo'], 'Say diff or apply, not "undo".'],
    ['settings', ['--rebuild'], '--rebuild and --dry-run go with apply: diff changes nothing.'],
    ['tasks', ['--limit', '0'], '--limit must be a whole number from 1 to 1000.'],
    ['tasks', ['--status', 'failed,late'], '"late" is not a status'],
    ['keys', ['lose'], 'Say show, create, delete, not "lose".'],
    ['embed', ['--status', '--rebuild'], 'Say --status or --rebuild, not both.'],
    ['query', [], 'Say what to search for.'],
    ['query', ['two', 'words'], 'Put the question into quotes: it is one argument.'],
    ['query', ['herons', '--tenant', 't', '--unit', 'u'], '--dataset is missing.'],
    ['query', [...QUERY, '--top-k', 'x', '--language', 'no'], '--top-k must be a whole number from 1 on.'],
    ['query', [...QUERY, '--filter', '{topic: 1}'], '--filter must be JSON.'],
    [
      'query',
      [
        ...QUERY,
        '--filter',
        '{"type":"and","filters":[{"type":"gt","key":"document.createdTime","value":"soon"}]}',
      ],
      '--filter: filters.0.value: must be an ISO 8601 time',
    ],
    ['query', [...QUERY, '--context', '11'], '--context must be a whole number from 0 to 10.'],
  ])('search %s %j', async (name, args, message) => {
    const { status, stdout, stderr } = await runCommand(name, [...args, '--json'], env);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(new RegExp(`\\nSee: lectern search ${name} --help\\n$`));
  });

  const forServer = commandNames.filter((name) => !['status', 'query', 'embed', 'synonyms'].includes(name));
  test.each(forServer)('search %s without a search server', async (name) => {
    const ended = await runCommand(name, argumentsOf(name), { ...env, MEILI_URL: undefined });
    expect(ended).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/^Set MEILI_URL .*\n$/) });
  });

  test('search status and query without a search server, where PostgreSQL searches', async () => {
    const alone = { ...env, MEILI_URL: undefined, MEILI_ADMIN_KEY: undefined };
    expect(await runForJson('status', [], alone)).toEqual({
      status: 0,
      json: {
        engine: 'postgres',
        served: true,
        reason: null,
        fallback: false,
        chunks: 1,
        postings: { segments: expect.any(Number), changes: expect.any(Number), stale: 0 },
        embedding: null,
        server: null,
        index: null,
        changes: null,
      },
    });
    const found = await runCommand('query', [...QUERY, '--explain'], alone);
    expect(found).toEqual({ status: 0, stdout: expect.stringContaining('Proposed by postgres'), stderr: '' });
  });

  test.each<[CommandName, string[]]>([
    ['reindex', []],
    ['settings', ['apply']],
    ['keys', []],
  ])('search %s %j without the admin key', async (name, args) => {
    const ended = await runCommand(name, args, {
      ...env,
      MEILI_ADMIN_KEY: undefined,
      MEILI_API_KEY: double.masterKey,
    });
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Set MEILI_ADMIN_KEY: .*\n$/),
    });
  });

  test.each(commandNames)('search %s --help explains its use', async (name) => {
    const { status, stdout, stderr } = await runCommand(name, ['--help'], {});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`Usage: lectern search ${name}`);
    expect(stdout).toContain('Exits with 0');
  });
});

describe('before anything is there', () => {
  test('the index is missing, and everyone says so', async () => {
    const { status, json } = await runForJson('status', [], env);
    expect(status).toBe(1);
    expect(json).toMatchObject({
      served: false,
      server: { reachable: true, error: null },
      index: { state: 'missing', documents: null, settingsDifferences: null },
    });
    const missing = {
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'Index `lectern_chunks` not found. Make it with: lectern search reindex',
      ),
    };
    for (const name of ['settings', 'verify'] as const) {
      expect(await runCommand(name, ['--json'], env)).toEqual(missing);
    }
  });

  test('a database of another version is no riddle', async () => {
    const empty = new URL(env.DATABASE_URL ?? '');
    empty.pathname = '/postgres';
    expect(await runCommand('status', [], { ...env, DATABASE_URL: empty.href })).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database lacks what this version needs .* Run: lectern migrate\n$/),
    });
  });
});

describe('while the search server', () => {
  const reading: CommandName[] = ['settings', 'verify', 'tasks', 'query', 'keys'];

  /** The status is an answer; whoever needs the server says why there is none. */
  async function expectTrouble(expected: RegExp, reachable: boolean, environment = env): Promise<void> {
    const { status, json } = await runForJson('status', [], environment);
    expect({ status, json }).toMatchObject({
      status: 1,
      json: {
        served: false,
        reason: expect.stringMatching(expected),
        server: { reachable, error: expect.stringMatching(expected) },
        index: { state: 'unknown' },
      },
    });
    const ended = await Promise.all(
      reading.map((name) => runCommand(name, [...argumentsOf(name), '--json'], environment)),
    );
    for (const one of ended) {
      expect(one).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(expected) });
      expect(one.stderr).not.toContain('    at ');
    }
  }

  test('is away', async () => {
    await double.stop();
    await expectTrouble(/ECONNREFUSED/, false).finally(double.start);
  });

  test('is hidden by a proxy that fails', async () => {
    double.answerWith({ status: 502, body: '<h1>502 Bad Gateway</h1>' });
    await expectTrouble(/What answers at MEILI_URL is no Meilisearch server/, false).finally(() =>
      double.answerWith(),
    );
  });

  test('refuses the key', async () => {
    await expectTrouble(/The search server refuses /, true, { ...env, MEILI_ADMIN_KEY: 'wrong' });
  });
});

describe('search reindex, stopped with Ctrl-C', () => {
  let before: Awaited<ReturnType<typeof startServerBefore>>;
  beforeAll(async () => {
    before = await startServerBefore(double.url);
  });
  afterAll(() => before.close());

  test('stops in order, and the next run goes on', async () => {
    const through = { ...env, MEILI_URL: before.url };
    const { child, ended } = startCommand('reindex', [], through);
    await before.untilHeld();
    child.kill('SIGINT');
    child.kill('SIGINT'); // as npm does
    const { status, stderr } = await ended;
    expect(status).toBe(1);
    expect(stderr).toContain('Stopped. The next run goes on from here');
    expect((await runForJson('status', [], env)).json.index.rebuild).toMatchObject({
      phase: 'copying',
      copied: 0,
      total: 1,
    });

    before.release();
    expect(await runForJson('reindex', [], through)).toEqual({
      status: 0,
      json: { copied: 1, replayed: 0, resumed: true },
    });
    expect((await runForJson('status', [], env)).json).toMatchObject({
      served: true,
      index: { state: 'complete', documents: 1, rebuild: null },
    });
  });
});

/** A server before another that does not tell, until it is released, that documents have arrived. */
async function startServerBefore(url: string) {
  const held = new Set<number>();
  let isHolding = true;
  let noteHeld: () => void;
  const isHeld = new Promise<void>((resolve) => {
    noteHeld = resolve;
  });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(url + request.url, {
      method: request.method as string,
      headers: { authorization, 'content-type': type },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    const body = (await answer.json()) as any;
    if (request.method === 'POST' && /documents(\?|$)/.test(request.url ?? '')) held.add(body.taskUid);
    if (isHolding && held.has(body.uid)) {
      body.status = 'processing';
      noteHeld();
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    untilHeld: () => isHeld,
    release() {
      isHolding = false;
    },
    close: () => server.close(),
  };
}
