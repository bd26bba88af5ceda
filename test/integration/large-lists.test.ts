import { type SqlBool, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database, Queryable } from '../../db/schema.js';
import { conversationListChanges, documentListChanges } from '../../src/derived-data/list-changes.js';
import { writeCounts } from '../../src/derived-data/write-counts.js';
import { replaceDatasets } from '../../src/derived-data/write-datasets.js';
import { foldChanges } from '../../src/services/shared/lists/fold-changes.js';
import { rollUpLists } from '../../src/services/shared/lists/list-rollup.js';
import { useApp } from '../support/app.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { waitFor } from '../support/wait-for.js';
import { insertListChanges } from './support/list-changes.js';

/*
 * Lists so large that their totals come from counters, and their deep pages begin near a counter's range. What they
 * answer is compared with count(*) and OFFSET, while writers change what is listed.
 */

type Filter = Record<string, unknown> & { scope?: { tenantId?: string; tenantUnitId?: string | string[] } };
type List = 'conversations' | 'documents';

/** Inserts conversations a minute apart, in one statement. */
const insertConversations = (db: Queryable, tenantId: string, prefix: string, count: number) =>
  sql`
    with made as (
    insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, status, assignment_id,
      created_time, updated_time)
    select ${prefix} || n, ${tenantId}, 'unit ' || n % 3, 'agent ' || n % 4, 'user', 'chat',
      (array['running', 'succeeded', 'failed', null])[1 + n % 4 * (n % 7) % 4], case n % 5 when 0 then 'case ' || n % 2 end,
      '2025-01-01'::timestamptz + n / 2 * interval '1 minute', now()
    from generate_series(1, ${count}::integer) as n
    returning *)
    ${insertListChanges('conversations', { rows: sql`made` })}
  `.execute(db);

const insertDocuments = async (db: Queryable, tenantId: string, prefix: string, count: number) => {
  await sql`
    with made as (
    insert into documents (id, tenant_id, tenant_unit_id, document_name, title, document_type, status, source, dataset_ids,
      created_time, updated_time)
    select ${prefix} || n, ${tenantId}, 'unit ' || n % 3, case n % 3 when 0 then 'Name ' || n * 7919 % 1000 end,
      case n % 2 when 0 then 'NÄMÉ ' || n * 7907 % 1000 end, (array['UnstructuredFile', 'StructuredFile'])[1 + n % 2],
      (array['ready', 'ready', 'failed'])[1 + n % 3], 'none',
      array(select dataset_id from (values ('faq', 2), ('manuals', 3), ('notes', 50)) as s (dataset_id, share)
        where n % share = 0 order by 1),
      '2025-01-01'::timestamptz + n / 2 * interval '1 minute',
      '2025-03-01'::timestamptz + n * 7919 % 5000 * interval '1 minute'
    from generate_series(1, ${count}::integer) as n
    returning *),
    filed as (
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
      select tenant_id, tenant_unit_id, id, dataset_id, created_time from made cross join unnest(dataset_ids) as dataset_id)
    ${insertListChanges('documents', { rows: sql`made` })}
  `.execute(db);
};

/** As autovacuum does after a minute: without statistics the planner reads tables whole. */
const analyze = (db: Database) => sql`analyze conversations, documents, document_datasets`.execute(db);

/** What a filter means, said once more. */
function conditionOf(list: List, filter: Filter) {
  const { scope = {}, statuses, agentId, assignmentId, documentTypes, datasetIds } = filter;
  const within = (ids: unknown) => sql<SqlBool>`id in (
    select document_id from document_datasets as s where s.tenant_id = entry.tenant_id and s.dataset_id = any(${ids}))`;
  const parts = [
    sql<SqlBool>`true`,
    ...(scope.tenantId ? [sql<SqlBool>`tenant_id = ${scope.tenantId}`] : []),
    ...(scope.tenantUnitId ? [sql<SqlBool>`tenant_unit_id = any(${[scope.tenantUnitId].flat()})`] : []),
    ...(statuses ? [sql<SqlBool>`status = any(${statuses})`] : []),
    ...(agentId ? [sql<SqlBool>`agent_id = ${agentId}`] : []),
    ...(assignmentId ? [sql<SqlBool>`assignment_id = ${assignmentId}`] : []),
    ...(documentTypes ? [sql<SqlBool>`document_type = any(${documentTypes})`] : []),
    ...(datasetIds ? [within(datasetIds)] : []),
  ];
  return sql`from ${sql.table(list)} as entry where ${sql.join(parts, sql` and `)}`;
}

/** The orders of each list, as a plain query has them. */
const ORDERS = {
  conversations: {
    recent: sql`created_time desc, id desc`,
    oldest: sql`created_time, id`,
  },
  documents: {
    recent: sql`created_time desc, id desc`,
    updated: sql`updated_time desc, id desc`,
    name: sql`lower(coalesce(document_name, title, id) collate "default") collate "C", id`,
  },
};

/** All ids of a filter, by a plain query. */
async function listAll(
  db: Database,
  list: List,
  filter: Filter,
  order = ORDERS[list].recent,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${conditionOf(list, filter)} order by ${order}
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function rollUpAll(db: Database): Promise<void> {
  await waitFor(
    async () => {
      while (await rollUpLists(db));
      const { rows } = await sql<{ left: boolean }>`
        select exists (select 1 from list_changes) or exists (select 1 from list_counters where not is_built) as left
      `.execute(db);
      return rows[0]?.left === false;
    },
    { what: 'the changes to be folded' },
  );
}

type Client = ReturnType<ReturnType<typeof useApp>['trpc']>;
async function readPage(
  client: Client,
  list: List,
  filter: Filter,
  page: number,
  pageSize: number,
  order: string,
) {
  const input = { ...filter, page, pageSize, order } as never;
  const found =
    list === 'conversations'
      ? await client.conversations.list.query(input)
      : await client.documents.list.query(input);
  return { total: found.totalCount, ids: found.items.map(({ id }) => id) };
}

/** Compares pages of a filter with the plain query: the first, the last, one beyond and some between, or all. */
async function expectExact(
  client: Client,
  db: Database,
  list: List,
  filter: Filter,
  { isEvery = false, hidden = filter }: { isEvery?: boolean; hidden?: Filter } = {},
) {
  const pageSize = 100;
  const total = (await listAll(db, list, hidden)).length;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const pages = isEvery
    ? Array.from({ length: last + 1 }, (_, i) => i + 1)
    : [...new Set([1, Math.ceil(last / 2), last, last + 1])].filter((page) => page > 0);
  for (const [order, plain] of Object.entries(ORDERS[list])) {
    const expected = await listAll(db, list, hidden, plain);
    for (const page of pages) {
      const wanted = { total, ids: expected.slice((page - 1) * pageSize, page * pageSize) };
      expect(await readPage(client, list, filter, page, pageSize, order), `page ${page}, ${order}`).toEqual(
        wanted,
      );
    }
  }
}

async function countCounters(db: Database): Promise<{ counters: number; ranges: number }> {
  const { rows } = await sql<{ counters: number; ranges: number }>`
    select (select count(*) from list_counters where is_built) as counters, (select count(*) from list_counter_ranges) as ranges
  `.execute(db);
  return rows[0] as { counters: number; ranges: number };
}

const acme = { tenantId: 'acme' };
const conversationFilters: Filter[] = [
  { scope: acme },
  {},
  { scope: { ...acme, tenantUnitId: 'unit 1' } },
  { scope: { ...acme, tenantUnitId: ['unit 1', 'unit 2'] } },
  { scope: acme, statuses: ['running'] },
  { scope: acme, statuses: ['running', 'failed', 'running', 'no status'] },
  { statuses: ['failed'] },
  { scope: acme, agentId: 'agent 1' },
  { scope: acme, assignmentId: 'case 0' },
  { scope: acme, agentId: 'agent 3', statuses: ['succeeded'] },
  { scope: { ...acme, tenantUnitId: 'unit 0' }, statuses: ['running'] },
  { scope: acme, assignmentId: 'case 1', statuses: ['running'] },
  { scope: { tenantId: 'zenith' } },
  { scope: acme, statuses: [] },
];
const documentFilters: Filter[] = [
  { scope: acme },
  { scope: { ...acme, tenantUnitId: ['unit 0', 'unit 2'] } },
  { scope: acme, documentTypes: ['StructuredFile'] },
  { scope: acme, statuses: ['ready', 'failed'] },
  { scope: acme, datasetIds: ['faq'] },
  { scope: acme, datasetIds: ['notes'] },
  { scope: acme, datasetIds: ['faq', 'manuals'] },
  { scope: acme, documentTypes: ['UnstructuredFile'], statuses: ['ready'] },
  { scope: acme, datasetIds: ['manuals'], statuses: ['failed'] },
  { scope: { ...acme, tenantUnitId: 'unit 1' }, documentTypes: ['UnstructuredFile'] },
  { scope: { tenantId: 'zenith' }, datasetIds: ['faq'] },
];

describe('in open mode', () => {
  const app = useApp();

  beforeAll(async () => {
    await insertConversations(app.db, 'acme', 'c', 18_000);
    await insertConversations(app.db, 'zenith', 'z', 2_500);
    await insertDocuments(app.db, 'acme', 'd', 10_000);
    await insertDocuments(app.db, 'zenith', 'z', 3_000);
    await analyze(app.db);
  });

  /** Asks for every counter, and has them built. */
  async function build(): Promise<void> {
    for (const filter of conversationFilters)
      await readPage(app.trpc(), 'conversations', filter, 1, 20, 'recent');
    for (const filter of documentFilters) await readPage(app.trpc(), 'documents', filter, 1, 20, 'recent');
    await rollUpAll(app.db);
  }

  async function expectAllExact(): Promise<void> {
    for (const filter of conversationFilters) await expectExact(app.trpc(), app.db, 'conversations', filter);
    for (const filter of documentFilters) await expectExact(app.trpc(), app.db, 'documents', filter);
  }

  test('totals and pages are exact before there are counters, with them, and with changes that they lack', async () => {
    await expectAllExact();
    await build();
    const { counters, ranges } = await countCounters(app.db);
    expect(counters).toBeGreaterThan(15);
    // The large ones have several ranges.
    expect(ranges).toBeGreaterThan(counters + 5);
    await expectAllExact();
    await app.db.transaction().execute(async (tx) => {
      await insertConversations(tx, 'acme', 'wide', 3_000);
      await insertDocuments(tx, 'acme', 'wide', 1_000);
    });
    await expectAllExact();
    await rollUpAll(app.db);
    await expectAllExact();
  });

  test('every page of a list is the same as with OFFSET', async () => {
    await build();
    await expectExact(app.trpc(), app.db, 'conversations', { scope: acme }, { isEvery: true });
    await expectExact(
      app.trpc(),
      app.db,
      'documents',
      { scope: acme, datasetIds: ['faq'] },
      { isEvery: true },
    );
  });

  test('what few match has no counter', async () => {
    await build();
    const before = await countCounters(app.db);
    for (let n = 0; n < 5; n++) {
      const filter = { scope: acme, assignmentId: `nothing ${n}` };
      expect(await readPage(app.trpc(), 'conversations', filter, 1, 20, 'recent')).toEqual({
        total: 0,
        ids: [],
      });
    }
    await rollUpAll(app.db);
    expect(await countCounters(app.db)).toEqual(before);
  });

  test('with concurrent writers and rollups, totals and pages stay those of one snapshot', async () => {
    await build();
    const writers = connectUnscoped(app.databaseUrl, { max: 8 });
    let isDone = false;
    const random = (count: number) => Math.floor(Math.random() * count);
    const steps = 30;
    const change = async (tx: Queryable, list: List, id: string, values: object): Promise<[any[], any[]]> => {
      const ofOne = { tenantId: 'acme', id };
      const before = await tx
        .selectFrom(list)
        .selectAll()
        .where((eb) => eb.and(ofOne))
        .forUpdate()
        .execute();
      const update = tx
        .updateTable(list)
        .set(values)
        .where((eb) => eb.and(ofOne));
      return [before, await update.returningAll().execute()];
    };
    const changeDocument = (id: string, values: object) =>
      writers.db.transaction().execute(async (tx) => {
        const [before, after] = await change(tx, 'documents', id, values);
        await replaceDatasets(tx, { tenantId: 'acme', documentIds: [id] });
        await writeCounts(tx, { lists: documentListChanges({ before, after }) });
      });
    /** Moves keep the size of the tenant's lists. */
    const move = async () => {
      for (let n = 0; n < steps; n++) {
        const id = 1 + random(18_000);
        const tenantUnitId = `unit ${random(3)}`;
        await writers.db.transaction().execute(async (tx) => {
          const [before, after] = await change(tx, 'conversations', `c${id}`, {
            status: 'stopped',
            tenantUnitId,
          });
          await writeCounts(tx, { lists: conversationListChanges({ before, after }) });
        });
        await changeDocument(`d${id}`, { status: 'failed' });
        await changeDocument(`d${1 + random(300)}`, { datasetIds: [] });
      }
    };
    const replace = async (writer: number) => {
      for (let n = 0; n < steps; n++) {
        await writers.db.transaction().execute(async (tx) => {
          const { rows } = await sql<{ deleted: number }>`
            with gone as (
              delete from conversations where tenant_id = 'acme'
                and id = any(${Array.from({ length: 5 }, () => `c${1 + random(18_000)}`)}) returning *),
            counted as (${insertListChanges('conversations', { rows: sql`gone`, sign: -1 })})
            select count(*) as deleted from gone
          `.execute(tx);
          const count = rows[0]?.deleted ?? 0;
          if (count > 0) await insertConversations(tx, 'acme', `new ${writer} ${n} `, count);
        });
      }
    };
    const create = async () => {
      for (let n = 0; n < steps / 3; n++) {
        const { id } = await app.trpc().conversations.create.mutate({ scope: { tenantId: 'other' } });
        await app.trpc().conversations.setStatus.mutate({
          scope: { tenantId: 'other' },
          conversationId: id,
          status: 'failed',
        });
      }
    };
    const rollingUp = Promise.all(
      Array.from({ length: 2 }, async () => {
        while (!isDone) await rollUpLists(writers.db);
      }),
    );
    const { length: size } = await listAll(app.db, 'conversations', { scope: acme });
    const seen = new Set<string>();
    const reading = (async () => {
      while (!isDone) {
        const page = 1 + random(Math.ceil(size / 100));
        const { total, ids } = await readPage(
          app.trpc(),
          'conversations',
          { scope: acme },
          page,
          100,
          'recent',
        );
        seen.add(
          `${total} ${ids.length === Math.min(100, total - (page - 1) * 100)} ${new Set(ids).size === ids.length}`,
        );
      }
    })();
    await Promise.all([move(), replace(1), replace(2), create()]);
    isDone = true;
    await Promise.all([rollingUp, reading]);
    expect([...seen]).toEqual([`${size} true true`]);
    await expectAllExact();
    await rollUpAll(app.db);
    await expectAllExact();
    await writers.close();
  });

  test('a rollup that is killed half-way changes nothing, and the next one makes up for it', async () => {
    await build();
    const killed = connectUnscoped(app.databaseUrl, { max: 1 });
    await insertConversations(app.db, 'acme', 'before the kill ', 50);
    const rolledUp = killed.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      expect(await foldChanges(tx, 'acme', 10_000)).toBeGreaterThan(0);
      await expectExact(app.trpc(), app.db, 'conversations', { scope: acme });
      await sql`select pg_terminate_backend(${rows[0]?.pid}::integer)`.execute(app.db);
      await sql`select 1`.execute(tx);
    });
    await expect(rolledUp).rejects.toThrow();
    await killed.close();
    await expectAllExact();
    await rollUpAll(app.db);
    await expectAllExact();
  });

  test('entries of one time are in one range, and are paged all the same', async () => {
    await sql`
      insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, created_time, updated_time)
      select 'same' || n, 'at once', 'unit', 'agent', 'user', 'chat', '2025-05-05', now() from generate_series(1, 9000) as n
    `.execute(app.db);
    const filter = { scope: { tenantId: 'at once' } };
    await readPage(app.trpc(), 'conversations', filter, 1, 20, 'recent');
    await rollUpAll(app.db);
    await expectExact(app.trpc(), app.db, 'conversations', filter);
  });
});

describe('with a key of some datasets', () => {
  const app = useApp({ authMode: 'required' });

  beforeAll(async () => {
    await insertDocuments(app.db, 'acme', 'd', 10_000);
    await insertDocuments(app.db, 'zenith', 'z', 2_000);
    await analyze(app.db);
  });

  test.each([[['manuals']], [['manuals', 'notes']]])(
    '%j: lists are those of its datasets alone',
    async (datasetIds) => {
      const { key } = await app.makeKey({ scopes: ['documents:read'], datasetIds });
      const client = app.trpc({ 'x-api-key': key });
      const filters: Filter[] = [
        {},
        { statuses: ['ready'] },
        { scope: { tenantUnitId: 'unit 0' } },
        { datasetIds: ['manuals'] },
        { documentTypes: ['StructuredFile', 'UnstructuredFile'] },
      ].map((filter) => ({ ...filter, scope: { ...acme, ...('scope' in filter ? filter.scope : {}) } }));
      for (const isBuilt of [false, true]) {
        for (const filter of filters) {
          await expectExact(client, app.db, 'documents', filter, { hidden: { datasetIds, ...filter } });
        }
        if (!isBuilt) await rollUpAll(app.db);
      }
    },
  );

  test('a key of one unit does not see the total of its tenant', async () => {
    const { key: all } = await app.makeKey({ scopes: ['documents:read'] });
    const { key } = await app.makeKey({
      scopes: ['documents:read'],
      scope: { tenantId: 'acme', tenantUnitId: 'unit 1' },
    });
    await expectExact(app.trpc({ 'x-api-key': all }), app.db, 'documents', { scope: acme });
    await rollUpAll(app.db);
    const unit = { scope: { ...acme, tenantUnitId: 'unit 1' } };
    await expectExact(app.trpc({ 'x-api-key': key }), app.db, 'documents', { scope: acme }, { hidden: unit });
  });
});
