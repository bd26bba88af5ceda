import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRestClient, TENANT_UNIT, TIME, UUID } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import {
  type CommandName,
  type Environment,
  findDatabaseUrl,
  runCommand,
  runForJson,
} from '../support/run-command.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';

// Each command is a process of its own.

const { config, close } = await openSearchServer();
afterAll(close);

const app = useApp({ meilisearch: config });
const { createDocument, listChunks, switchChunk } = createRestClient(app);
const uid = `${config.prefix}chunks`;
const WHERE = ['--tenant', TENANT_UNIT.tenantId, '--unit', TENANT_UNIT.tenantUnitId, '--dataset', 'faq'];

let env: Environment;
let heron: { id: string; documentId: string };
let stork: typeof heron;
const run = (name: CommandName, ...args: string[]) => runCommand(name, args, env);
const runJson = (name: CommandName, ...args: string[]) => runForJson(name, args, env);

/** Does to the search server what nobody should. */
async function tamper(method: string, route: string, body?: unknown): Promise<void> {
  const send = async (way: string, to: string, what?: unknown) => {
    const response = await fetch(config.url + to, {
      method: way,
      headers: { authorization: `Bearer ${config.adminKey}`, 'content-type': 'application/json' },
      ...(what !== undefined && { body: JSON.stringify(what) }),
    });
    return (await response.json()) as any;
  };
  const { taskUid } = await send(method, route, body);
  const hasEnded = async () =>
    ['succeeded', 'failed'].includes((await send('GET', `/tasks/${taskUid}`)).status);
  await waitFor(hasEnded, { what: `task ${taskUid} to end` });
}

/** Waits until the running server has brought everything into the index. */
const untilInStep = () =>
  waitFor(
    async () => {
      const { served, changes } = await app.trpc().search.status.query();
      return served && changes?.waiting === 0;
    },
    { what: 'the index to hold everything', intervalMs: 50 },
  );

beforeAll(async () => {
  env = {
    DATABASE_URL: await findDatabaseUrl(app.db),
    MEILI_URL: config.url,
    MEILI_ADMIN_KEY: config.adminKey,
    MEILI_INDEX_PREFIX: config.prefix,
  };
  const [a, b] = [
    await createDocument({ documentName: 'herons', documentContent: 'Herons stand in the water.' }, ['faq']),
    await createDocument({ documentName: 'storks', documentContent: 'Storks stand on roofs.' }, ['faq']),
  ];
  await app.settle();
  [[heron], [stork]] = [await listChunks(a.id), await listChunks(b.id)];
  await untilInStep();
});

describe('search:status', () => {
  test('tells that all is well, to people, programs and the console alike', async () => {
    // Changes are merged into segments in the background.
    const postings = { segments: expect.any(Number), changes: expect.any(Number), stale: 0 };
    const { status, json } = await runJson('status');
    expect(status).toBe(0);
    expect(json).toEqual({
      engine: 'meilisearch',
      served: true,
      reason: null,
      fallback: false,
      chunks: 2,
      postings,
      embedding: null,
      server: {
        url: `${config.url}/`,
        reachable: true,
        error: null,
        version: expect.stringMatching(/^1\.\d+\.\d+$/),
      },
      index: {
        uid,
        state: 'complete',
        documents: 2,
        documentBytes: expect.any(Number),
        settingsDifferences: 0,
        filling: null,
        rebuild: null,
      },
      changes: {
        waiting: 0,
        sent: 0,
        oldestTime: null,
        setAside: { count: 0, first: [] },
        syncedTime: TIME,
        error: null,
      },
    });
    const moving = { postings, changes: { ...json.changes, syncedTime: TIME } };
    expect(await app.trpc().search.status.query()).toEqual({ ...json, ...moving });

    const { stdout } = await run('status');
    expect(stdout).toContain('Searches are answered by meilisearch.');
    expect(stdout).toMatch(/documents +2 for 2 chunks/);
  });
});

describe('search:settings', () => {
  const set = (settings: object) => tamper('PATCH', `/indexes/${uid}/settings`, settings);
  const depth = {
    setting: 'pagination',
    wanted: { maxTotalHits: 1_000_000 },
    found: { maxTotalHits: 7 },
    rebuilds: false,
  };
  const prefixes = {
    setting: 'prefixSearch',
    wanted: 'indexingTime',
    found: 'disabled',
    rebuilds: true,
  };
  const nothing = { status: 0, json: { index: uid, differences: [], kept: {} } };

  test('changes on the spot what can be', async () => {
    expect(await runJson('settings')).toEqual(nothing);
    await set({ pagination: { maxTotalHits: 7 } });
    const differing = { status: 1, json: { index: uid, differences: [depth], kept: {} } };
    expect(await runJson('settings', 'diff')).toEqual(differing);
    expect(await app.trpc().search.settings.query()).toEqual([depth]);

    const done = { index: uid, dryRun: false, differences: [depth], applied: ['pagination'] };
    const applied = { ...done, rebuilt: false, reindexed: null };
    expect(await runJson('settings', 'apply', '--dry-run')).toEqual({
      status: 0,
      json: { ...applied, dryRun: true },
    });
    expect(await runJson('settings')).toEqual(differing);
    expect(await runJson('settings', 'apply')).toEqual({ status: 0, json: applied });
    expect(await runJson('settings', 'apply')).toEqual({
      status: 0,
      json: { ...applied, differences: [], applied: [] },
    });
    expect(await runJson('settings')).toEqual(nothing);
  });

  test('keeps what an operator has set, and shows it', async () => {
    const synonyms = { heron: ['egret'] };
    await set({ synonyms });
    const kept = { status: 0, json: { index: uid, differences: [], kept: { synonyms } } };
    expect(await runJson('settings')).toEqual(kept);
    expect(await runJson('settings', 'apply')).toMatchObject({ status: 0, json: { applied: [] } });
    expect((await run('settings')).stdout).toContain('synonyms  {"heron":["egret"]}');
    await set({ synonyms: {} });
    expect(await runJson('settings')).toEqual(nothing);
  });

  test('builds the index anew where that is needed, and asked for', async () => {
    await set({ prefixSearch: 'disabled' });
    const refused = await run('settings', 'apply');
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain('changing it makes the server index every document again');
    expect(refused.stdout).toContain('lectern search settings apply --rebuild');
    expect(await runJson('settings')).toEqual({
      status: 1,
      json: { index: uid, differences: [prefixes], kept: {} },
    });

    expect(await runJson('settings', 'apply', '--rebuild')).toEqual({
      status: 0,
      json: {
        index: uid,
        dryRun: false,
        differences: [prefixes],
        applied: [],
        rebuilt: true,
        reindexed: { copied: 2, replayed: 0, resumed: false },
      },
    });
    expect(await runJson('settings')).toEqual(nothing);
  });
});

describe('search:verify', () => {
  const none = { count: 0, ids: [] };

  test('finds what differs, and has it put right', async () => {
    const inStep = { chunks: 2, documents: 2, waiting: 0, setAside: 0, repaired: 0 };
    const good = { ...inStep, missing: none, outdated: none, surplus: none };
    expect(await runJson('verify')).toEqual({ status: 0, json: good });

    const path = `/indexes/${uid}/documents`;
    await tamper('POST', `${path}/delete-batch`, [heron.id]);
    await tamper('POST', path, [
      { id: stork.id, revision: 'old', bucket: await bucketOf(stork.id), unit: 'u' },
      { id: 'surplus', revision: 'x', bucket: await bucketOf('surplus'), unit: 'u' },
    ]);
    const bad = {
      ...inStep,
      missing: { count: 1, ids: [heron.id] },
      outdated: { count: 1, ids: [stork.id] },
      surplus: { count: 1, ids: ['surplus'] },
    };
    expect(await runJson('verify')).toEqual({ status: 1, json: bad });
    expect(await app.trpc().search.verify.query()).toEqual(bad);
    const planned = await run('verify', '--repair', '--dry-run');
    expect(planned.status).toBe(1);
    expect(planned.stdout).toContain('Would be queued: 3 chunks.');
    expect(await runJson('verify', '--repair')).toEqual({ status: 0, json: { ...bad, repaired: 3 } });
    await untilInStep();
    expect(await runJson('verify')).toEqual({ status: 0, json: good });
  });

  const bucketOf = async (id: string) => {
    const { rows } = await sql<{ bucket: number }>`select chunk_bucket(${id}) as bucket`.execute(app.db);
    return rows[0]?.bucket;
  };
});

describe('search:reindex and search:tasks', () => {
  test('the index is rebuilt and swapped, which its tasks show', async () => {
    expect(await runJson('reindex', '--dry-run')).toEqual({
      status: 0,
      json: { dryRun: true, index: uid, chunks: 2, rebuild: null },
    });
    const rebuilt = await run('reindex');
    expect(rebuilt).toMatchObject({
      status: 0,
      stdout: `${uid} is rebuilt: 2 chunks copied, 0 changes repeated that came meanwhile.\n`,
    });
    expect(rebuilt.stderr).toContain('Copying: 100%, 2 of 2 chunks');

    const { status, json } = await runJson('tasks', '--limit', '2', '--status', 'succeeded, failed');
    expect(status).toBe(0);
    const task = {
      uid: expect.any(Number),
      status: 'succeeded',
      documents: null,
      changes: 0,
      enqueuedTime: expect.any(String),
      startedTime: expect.any(String),
      finishedTime: expect.any(String),
      durationMs: expect.any(Number),
      error: null,
    };
    const built = expect.stringMatching(`^${uid}_\\d+$`);
    expect(json).toEqual([
      { ...task, type: 'indexDeletion', indexes: [built], documents: 3 },
      { ...task, type: 'indexSwap', indexes: [uid, built] },
    ]);
    expect(await app.trpc().search.tasks.query({ limit: 2 })).toEqual(json);
    expect((await run('tasks')).stdout).toMatch(/^task +status +type +index/);
  });
});

describe('search:synonyms', () => {
  const where = ['--tenant', 'acme', '--unit', 'sales'];

  test('are imported, listed and exported', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-synonyms-'));
    const file = path.join(folder, 'synonyms.txt');
    const text = 'heron, egret\n# datasets: ["faq"]\nadjutant => stork\n';
    await writeFile(file, text);
    const counts = { added: 2, removed: 0, unchanged: 0 };
    expect(await runJson('synonyms', 'import', file, ...where)).toEqual({ status: 0, json: counts });
    expect(await run('synonyms', 'import', file, ...where, '--mode', 'replace')).toMatchObject({
      status: 0,
      stdout: '0 rules added, 0 removed, 2 unchanged.\n',
    });
    expect(await run('synonyms', 'export', ...where)).toMatchObject({ status: 0, stdout: text });
    const { json } = await runJson('synonyms', ...where);
    expect(json).toMatchObject([
      { terms: ['heron', 'egret'], replacements: null, datasetIds: null, createdBy: null },
      { terms: ['adjutant'], replacements: ['stork'], datasetIds: ['faq'], createdBy: null },
    ]);
    expect((await run('synonyms', 'list', ...where)).stdout).toMatch(/adjutant => stork +faq +\d{4}-/);
    const { json: found } = await runJson('query', 'egrets and adjutants', ...WHERE);
    expect(found.engine).toBe('meilisearch');
    expect(found.hits.map(({ id }: { id: string }) => id).sort()).toEqual([heron.id, stork.id].sort());

    await writeFile(file, 'one\n');
    const failed = await run('synonyms', 'import', file, ...where);
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toContain('Line 1: the terms must be at least two, or say what else to search.');
    await writeFile(file, '# none\n');
    expect(await runJson('synonyms', 'import', file, ...where, '--mode', 'replace')).toEqual({
      status: 0,
      json: { added: 0, removed: 2, unchanged: 0 },
    });
    expect(await run('synonyms', ...where)).toMatchObject({ status: 0, stdout: 'There are none.\n' });
    await rm(folder, { recursive: true });
  });

  test.each([
    [['list'], 'Name the tenant and its unit'],
    [['import', ...where], 'Name one file to import'],
    [['drop', ...where], 'Say list, export, import, not "drop".'],
    [['list', ...where, '--mode', 'merge'], '--mode must be add or replace.'],
  ])('%j is a usage error', async (args, message) => {
    const { status, stderr } = await run('synonyms', ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test('a file that is not there is named', async () => {
    const { status, stderr } = await run('synonyms', 'import', '/nowhere/synonyms.txt', ...where);
    expect(status).toBe(1);
    expect(stderr).toContain('/nowhere/synonyms.txt');
  });
});

describe('search:query', () => {
  test('shows hits as the service finds them', async () => {
    const { status, json } = await runJson('query', 'Where do herons stand?', ...WHERE, '--top-k', '1');
    expect({ status, json }).toEqual({
      status: 0,
      json: {
        engine: 'meilisearch',
        mode: 'lexical',
        hits: [
          expect.objectContaining({
            id: heron.id,
            documentName: 'herons',
            content: 'Herons stand in the water.',
          }),
        ],
        notes: [],
      },
    });
    const { stdout } = await run('query', 'Where do herons stand?', ...WHERE);
    expect(stdout).toMatch(/^1\. herons\n +score +0\.\d{4}\n[\s\S]*\n2\. storks\n/);
  });

  test('filters, and shows what is around a hit', async () => {
    const filter = (value: string) => JSON.stringify({ type: 'eq', key: 'document.name', value });
    const { json } = await runJson(
      'query',
      'Who stands?',
      ...WHERE,
      '--filter',
      filter('storks'),
      '--context',
      '1',
    );
    expect(json).toMatchObject({
      engine: 'postgres',
      hits: [{ id: stork.id, context: { text: 'Storks stand on roofs.', sameAs: null } }],
    });
    const { stdout } = await run(
      'query',
      'Who stands?',
      ...WHERE,
      '--filter',
      filter('herons'),
      '--context',
      '1',
    );
    expect(stdout).toMatch(/^1\. herons\n[\s\S]*\n +context +Herons stand in the water\.\n$/);
    const explained = await runJson(
      'query',
      'Who stands?',
      ...WHERE,
      '--filter',
      filter('herons'),
      '--chunk',
      stork.id,
    );
    expect(explained.json.explanation.chunk).toMatchObject({
      rank: null,
      reasons: ['It does not pass the filter.'],
    });
  });

  test('explains what was looked for, and why a chunk is not found', async () => {
    await switchChunk(stork, 'inactive');
    const { json } = await runJson('query', 'Where do herons stand?', ...WHERE, '--chunk', stork.id);
    expect(json.explanation).toMatchObject({
      engine: 'meilisearch',
      terms: [
        { term: 'heron', chunks: 1 },
        // Until the change is merged, the inactive chunk may count or not.
        { term: 'stand', chunks: expect.any(Number) },
      ],
      // A merge between the search and its explanation changes how rare the words are.
      hits: [{ chunkId: heron.id, score: expect.any(Number) }],
      chunk: { chunkId: stork.id, rank: null, score: null, held: ['stand'], missed: ['heron'] },
    });
    expect(json.explanation.chunk.reasons).toContain('It is inactive.');
    const { stdout } = await run('query', 'herons', ...WHERE, '--explain');
    expect(stdout).toMatch(/Terms, rarest first, and how many of the datasets' \d chunks? hold each/);
    expect(stdout).toContain('Proposed by meilisearch, ranked:');
    await switchChunk(stork, 'active');
  });
});

describe('search:keys', () => {
  test('makes, shows and deletes the keys of a server', async () => {
    const other = { ...env, MEILI_INDEX_PREFIX: `${config.prefix}other_` };
    const keys = (...args: string[]) => runForJson('keys', args, other);
    const about = {
      uid: UUID,
      actions: expect.arrayContaining(['search']),
      indexes: [`${config.prefix}other_*`],
    };
    const aboutTokens = { uid: UUID, actions: ['search'], indexes: [`${config.prefix}other_chunks`] };
    const absent = {
      status: 1,
      json: { action: 'show', dryRun: false, changes: false, key: null, tokenKey: null },
    };

    expect(await keys()).toEqual(absent);
    const made = { action: 'create', changes: true };
    expect(await keys('create', '--dry-run')).toEqual({
      status: 0,
      json: {
        ...made,
        dryRun: true,
        key: { ...about, key: null },
        tokenKey: { ...aboutTokens, key: null },
      },
    });
    const { json } = await keys('create');
    expect(json).toEqual({
      ...made,
      dryRun: false,
      key: { ...about, key: expect.stringMatching(/^[0-9a-f]{64}$/) },
      tokenKey: { ...aboutTokens, key: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect((await keys('create')).json).toEqual({ ...json, changes: false });
    const { stdout } = await runCommand('keys', [], other);
    expect(stdout).toContain(`MEILI_API_KEY=${json.key.key}\n`);
    expect(stdout).toContain(`MEILI_TOKEN_KEY=${json.tokenKey.key}\n`);

    // With it, what needs no admin can be done.
    const scoped = { ...other, MEILI_ADMIN_KEY: undefined, MEILI_API_KEY: json.key.key };
    expect((await runForJson('status', [], scoped)).json).toMatchObject({
      server: { reachable: true, error: null, version: null },
      index: { state: 'missing' },
    });

    expect((await keys('delete', '--dry-run')).json).toMatchObject({ changes: true, dryRun: true });
    expect((await keys('delete')).json).toEqual({
      action: 'delete',
      dryRun: false,
      changes: true,
      key: null,
      tokenKey: null,
    });
    expect(await keys('show')).toEqual(absent);
  });
});
