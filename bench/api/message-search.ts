import path from 'node:path';
import { sql } from 'kysely';
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import type { Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { moveMessages } from '../../src/search/messages/move-messages.js';
import { readPostedMessages } from '../../src/search/messages/posted-messages.js';
import { createHttpClient, type HttpClient } from '../search/http-client.js';
import { mergeAll } from '../support/merge-all.js';
import { spell, spellInSql } from '../support/words.js';
import type { BenchmarkOptions, Comparison, Question } from './question.js';
import { medians } from './support/medians.js';

const TENANT = 'large';
const CONVERSATIONS = 1_000_000;
const MESSAGES = 10;
const WORDS = 15;
/** How many words there are; half of what is written is of the commonest 300. */
const VOCABULARY = 100_000;
const FLOOD = 8;
const GET = 'GET of a conversation';
const PROGRESS_MS = 60_000;

/** Searches of ten million messages beside a GET, and a GET beside a flood of them. */
export const messageSearch: Question = {
  name: 'message-search',
  title: 'Search over ten million messages of a tenant',
  async measure(options) {
    const { dataDir, remove } = options.data
      ? { dataDir: path.resolve(options.data), remove: async () => {} }
      : await makeDataDir('messages');
    const database = await startEmbedded({ dataDir });
    try {
      await migrateToLatest(database.url);
      const conversations = Math.round((CONVERSATIONS * options.percent) / 100);
      await fill(database.url, conversations, options.log);
      const env = { ...process.env, AUTH_MODE: 'open', DATA_DIR: dataDir, DATABASE_URL: database.url };
      const service = await startServer({ env });
      const client = createHttpClient(service.address);
      try {
        return await compare(client, service.address, conversations, options);
      } finally {
        client.close();
        await service.stop();
      }
    } finally {
      await database.stop();
      await remove();
    }
  },
};

async function fill(url: string, conversations: number, log: BenchmarkOptions['log']): Promise<void> {
  const { db: guarded, close } = connectDatabase(url, { max: 2 });
  const db = unscoped(guarded, 'The rows of the measured tenant are made by a few statements.');
  if (await hasConversations(db)) log('going on with the messages that are there');
  else await db.transaction().execute((tx) => write(tx, conversations, log));
  const before = await countUnindexed(db);
  const progress = setInterval(
    async () => log(`${await countUnindexed(db)} conversations are not indexed`),
    PROGRESS_MS,
  );
  const began = performance.now();
  await mergeAll(db, TENANT, { move: moveMessages, read: readPostedMessages });
  clearInterval(progress);
  const perSecond = (before * MESSAGES) / ((performance.now() - began) / 1000);
  log(`indexed ${Math.round(perSecond)} messages a second`);
  await close();
}

const hasConversations = async (db: Queryable): Promise<boolean> =>
  (await db.selectFrom('conversations').select('id').limit(1).executeTakeFirst()) !== undefined;

async function countUnindexed(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom('messageChanges')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function write(db: Queryable, conversations: number, log: BenchmarkOptions['log']): Promise<void> {
  log(`writing ${conversations * MESSAGES} messages`);
  await sql`
    insert into conversations (id, tenant_id, tenant_unit_id, topic, agent_id, user_id, agent_mode, status, created_time,
      updated_time, message_sequence)
    select 'c' || n, ${TENANT}, 'unit', null, 'agent' || n % 20, 'user' || n % 10000, 'chat', 'running',
      '2026-01-01'::timestamptz + n * interval '10 seconds', now(), ${MESSAGES}
    from generate_series(1, ${conversations}::int) as n
  `.execute(db);
  await sql`
    insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content,
      requested_time, sequence)
    select gen_random_uuid(), ${TENANT}, 'unit', 'c' || n, 'agent', 'user', '', 'user', (
        select string_agg(${spellInSql(sql`rank`)}, ' ') from (
          select (1 + floor(exp(random() * ln(${VOCABULARY}::float8))))::int as rank
          from generate_series(1, ${WORDS}) as w where w + n > m) as words),
      '2026-01-01'::timestamptz + n * interval '10 seconds' + m * interval '1 second', m
    from generate_series(1, ${conversations}::int) as n cross join generate_series(1, ${MESSAGES}) as m
  `.execute(db);
  await sql`insert into message_changes (tenant_id, conversation_id) select tenant_id, id from conversations`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}

async function compare(
  client: HttpClient,
  address: string,
  conversations: number,
  { requests, rounds, log }: BenchmarkOptions,
): Promise<Comparison[]> {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const word = () => spell(1 + Math.floor(Math.exp((random(1e6) / 1e6) * Math.log(VOCABULARY))));
  const get = (path: string, input: object) =>
    `/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ scope: { tenantId: TENANT }, ...input }))}`;
  const search = (filter: object = {}) => {
    const query = [word(), word(), word()].join(' ');
    return get('messages.search', { query, ...filter });
  };
  const point = () => get('conversations.get', { conversationId: `c${1 + random(conversations)}` });
  const time = async (path: string) => {
    const { milliseconds } = await client.get(path);
    return milliseconds;
  };
  const measured: Record<string, { ours: number[]; theirs: number[] }> = {};
  const kinds: Record<string, () => string> = {
    'search of three words': () => search(),
    'search of a user': () => search({ userId: `user${random(10_000)}` }),
    'search of an agent': () => search({ agentId: 'agent7' }),
    'search of a day': () =>
      search({ requestedFrom: '2026-01-02T00:00:00Z', requestedBefore: '2026-01-03T00:00:00Z' }),
  };
  for (let round = -1; round < rounds; round++) {
    log(`round ${round}`);
    for (const [kind, path] of Object.entries(kinds)) {
      const [ours, theirs] = [[] as number[], [] as number[]];
      for (let i = 0; i < requests / 5; i++) {
        theirs.push(await time(point()));
        ours.push(await time(path()));
      }
      if (round < 0) continue;
      measured[kind] ??= { ours: [], theirs: [] };
      measured[kind].ours.push(quantile(ours, 0.5));
      measured[kind].theirs.push(quantile(theirs, 0.5));
    }
  }
  const p95 = async () => quantile(await timesOf(requests, () => time(point())), 0.95);
  const alone: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await p95());
    const flood = await startFlood(address, search);
    flooded.push(await p95());
    await flood.stop();
  }
  return [
    ...Object.entries(measured).map(([what, sides]) => ({
      what,
      rival: GET,
      unit: 'ms, p50',
      ...medians(sides.ours, sides.theirs),
      target: { atMost: 15 },
    })),
    {
      what: `${GET} beside ${FLOOD} callers that search`,
      rival: 'the same alone',
      unit: 'ms, p95',
      ...medians(flooded, alone),
      target: { atMost: 1.5 },
    },
  ];
}

async function timesOf(count: number, work: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await work());
  return times;
}

async function startFlood(address: string, search: () => string) {
  const client = createHttpClient(address);
  let isOver = false;
  const callers = Array.from({ length: FLOOD }, async () => {
    while (!isOver) await client.get(search());
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
      client.close();
    },
  };
}
