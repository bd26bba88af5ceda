import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { advisoryLockKey } from '../../db/advisory-locks.js';
import type { Database } from '../../db/schema.js';
import { createHttpClient } from '../search/http-client.js';
import { cpuOf } from '../support/processes.js';
import type { BenchmarkOptions, Comparison, Question } from './question.js';
import { insertMessages } from './rivals/by-hand/insert-messages.js';
import { conversationId, TENANT } from './support/fill-tenant.js';
import type { MeasuredServer } from './support/measured-server.js';
import { medians } from './support/medians.js';
import { BY_HAND } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const CALLERS = 16;
const MESSAGES = 20;
const WARM_UP_ROUNDS = 3;
const CONTENT = 'Goods can be returned within 30 days of delivery, if they are unused and complete. '.repeat(
  5,
);

/** Stores messages in one of several ways. */
interface Side {
  name: string;
  append(call: Call): Promise<unknown>;
  /** Of the server, if there is one, in microseconds. */
  cpu(): Promise<number>;
}

interface Call {
  conversationId: string;
  messages: { id: string; messageFrom: string; content: string; runId: string }[];
}

/** Of a round. */
interface Measured {
  /** Microseconds a message, of the server and the database. */
  cpu: number;
  /** Messages. */
  perSecond: number;
}

export const appends: Question = {
  name: 'appends',
  title: `Messages by ${CALLERS} callers, ${MESSAGES} in a call`,
  measure: (options) =>
    withServers([BY_HAND], async ({ service, rivals, db, url }) => {
      const pool = new pg.Pool({ connectionString: url, max: CALLERS });
      const https = [service, ...rivals].map(({ address }) => createHttpClient(address));
      const [ours, theirs] = https;
      const [byHand] = rivals;
      if (!ours || !theirs || !byHand) throw new Error('A server is missing.');
      const sides: Side[] = [
        {
          name: 'Lectern',
          append: (call) => ours.post('/trpc/messages.append', { scope: { tenantId: TENANT }, ...call }),
          cpu: service.cpu,
        },
        {
          name: 'INSERT … unnest by hand, behind Express and zod',
          append: (call) => theirs.post(`/messages?tenant_id=${TENANT}`, call),
          cpu: byHand.cpu,
        },
        {
          name: 'INSERT … unnest without a server',
          append: (call) => insertMessages(pool, { tenantId: TENANT, ...call }),
          cpu: async () => 0,
        },
      ];
      try {
        const unlock = await stopIndexing(url);
        const stored = await compare(sides, db, options);
        return [...stored, await measureIndexing({ service, db, unlock, log: options.log }, stored)];
      } finally {
        for (const http of https) http.close();
        await pool.end();
      }
    }),
};

async function compare(
  sides: Side[],
  db: Database,
  { requests, rounds, log }: BenchmarkOptions,
): Promise<Comparison[]> {
  const database = await findPostgres(db);
  const measured = sides.map((): Measured[] => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    log(`appends: round ${round}`);
    for (const place of sides.keys()) {
      const which = (place + round + WARM_UP_ROUNDS) % sides.length;
      const one = await measureRound(sides[which] as Side, requests, database);
      if (round >= 0) measured[which]?.push(one);
    }
  }
  await assertAllStored(db, (WARM_UP_ROUNDS + rounds) * requests * MESSAGES * sides.length);
  const [ours = [], ...others] = measured;
  return others.flatMap((theirs, index) => {
    const about = { what: 'append of messages', rival: sides[index + 1]?.name ?? '' };
    const isServer = index === 0;
    const of = (value: keyof Measured) =>
      medians(
        ours.map((one) => one[value]),
        theirs.map((one) => one[value]),
      );
    return [
      {
        ...about,
        unit: 'µs of CPU a message, server and database',
        ...of('cpu'),
        ...(isServer && { target: { atMost: 1.5 } }),
      },
      {
        ...about,
        unit: 'messages a second',
        ...of('perSecond'),
        ...(isServer && { target: { atLeast: 2_000, of: 'ours' as const } }),
      },
    ];
  });
}

async function measureRound(side: Side, requests: number, database: number): Promise<Measured> {
  const spent = async () => (await side.cpu()) + cpuOf(database);
  const before = await spent();
  const began = performance.now();
  let next = 0;
  const send = async () => {
    for (let n = next++; n < requests; n = next++) await side.append(callOf(n));
  };
  await Promise.all(Array.from({ length: CALLERS }, send));
  const seconds = (performance.now() - began) / 1_000;
  const messages = requests * MESSAGES;
  return { cpu: ((await spent()) - before) / messages, perSecond: messages / seconds };
}

const callOf = (n: number): Call => ({
  conversationId: conversationId(n),
  messages: Array.from({ length: MESSAGES }, (_, place) => ({
    id: randomUUID(),
    messageFrom: place % 2 === 0 ? 'user' : 'agent',
    content: CONTENT,
    runId: `run-${n}`,
  })),
});

/** Holds the lock of the measured tenant's index, so that messages are stored and not indexed. */
async function stopIndexing(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [advisoryLockKey('postings', [TENANT])]);
  return () => client.end();
}

interface Indexing {
  service: MeasuredServer;
  db: Database;
  unlock: () => Promise<void>;
  log: BenchmarkOptions['log'];
}

/** What the background does with the messages that the service has stored. */
async function measureIndexing(
  { service, db, unlock, log }: Indexing,
  [stored]: Comparison[],
): Promise<Comparison> {
  const database = await findPostgres(db);
  const spent = async () => (await service.cpu()) + cpuOf(database);
  const [before, messages] = [await spent(), await countMessages(db)];
  log('appends: indexing');
  await unlock();
  for (;;) {
    const { rows } = await sql<{
      left: boolean;
    }>`select exists (select from message_changes) as left`.execute(db);
    if (!rows[0]?.left) break;
    await setTimeout(100);
  }
  const ours = ((await spent()) - before) / messages;
  const theirs = stored?.ours ?? Number.NaN;
  return {
    what: 'index of a message, in the background',
    rival: 'the append of it',
    unit: 'µs of CPU a message, server and database',
    ours,
    theirs,
    ratio: ours / theirs,
  };
}

/** Those that the service has stored, and has numbered. */
async function countMessages(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where tenant_id = ${TENANT} and content = ${CONTENT} and sequence > 0
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** The id of the server's first process. */
async function findPostgres(db: Database): Promise<number> {
  const { rows } = await sql<{ folder: string }>`select current_setting('data_directory') as folder`.execute(
    db,
  );
  return Number.parseInt(readFileSync(path.join(rows[0]?.folder ?? '', 'postmaster.pid'), 'utf8'), 10);
}

async function assertAllStored(db: Database, expected: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where tenant_id = ${TENANT} and content = ${CONTENT}
  `.execute(db);
  if (rows[0]?.count !== expected) throw new Error(`${rows[0]?.count} messages are stored, not ${expected}.`);
}
