import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../../db/embedded.js';
import { migrateToLatest } from '../../../db/migrate.js';
import { startServer } from '../../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';
import { createHttpClient, type HttpClient } from '../../search/http-client.js';
import type { BenchmarkOptions, Comparison, Question } from '../question.js';
import { medians } from '../support/medians.js';
import {
  CASES,
  type ListCase,
  type PageAsked,
  pageSize,
  readAnswer,
  rivalPath,
  servicePath,
} from './cases.js';
import { fillTenant, untilCounted } from './fill.js';

const FULL = { conversations: 2_000_000, documents: 1_000_000 };
const SMALL = { conversations: 2_000, documents: 2_000 };
const DEEP_PAGE = 5_000;
const NAIVE = 'count(*) and OFFSET by hand';

/** Lists of a large tenant beside the naive query, and beside the same list of a small tenant. */
export const largeLists: Question = {
  name: 'large-lists',
  title: 'Lists of two million conversations and one million documents',
  measure,
};

async function measure(options: BenchmarkOptions): Promise<Comparison[]> {
  const { percent, log } = options;
  const { dataDir, remove } = await makeDataDir('lists');
  const database = await startEmbedded({ dataDir });
  try {
    await migrateToLatest(database.url);
    const scale = (full: number) => Math.round((full * percent) / 100);
    const large = { conversations: scale(FULL.conversations), documents: scale(FULL.documents) };
    log(`filling ${large.conversations} conversations and ${large.documents} documents`);
    await fillTenant(database.url, 'large', large);
    await fillTenant(database.url, 'small', SMALL);
    const service = await startServer({
      env: { ...process.env, AUTH_MODE: 'open', DATA_DIR: dataDir, DATABASE_URL: database.url },
    });
    const rival = await startRival(database.url);
    const [ours, theirs] = [createHttpClient(service.address), createHttpClient(rival.address)];
    try {
      log('asking for every list once, and waiting for the counters');
      for (const one of CASES) {
        for (const tenant of ['large', 'small'])
          await ours.get(servicePath(one, tenant, { page: 1, order: 'recent' }));
      }
      await untilCounted(database.url);
      return await compareAll({ ours, theirs }, options);
    } finally {
      for (const client of [ours, theirs]) client.close();
      await rival.stop();
      await service.stop();
    }
  } finally {
    await database.stop();
    await remove();
  }
}

interface Clients {
  ours: HttpClient;
  theirs: HttpClient;
}

async function compareAll(clients: Clients, options: BenchmarkOptions): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const one of CASES) {
    options.log(one.what);
    const first: PageAsked = { page: 1, order: 'recent' };
    const { total } = await answers(clients, one, first);
    const last = Math.max(1, Math.ceil(total / pageSize));
    const deep = { page: Math.min(DEEP_PAGE, Math.ceil(last / 2)), order: 'recent' as const };
    const ends: PageAsked[] = [
      ...(one.list === 'conversations' ? [{ page: 1, order: 'oldest' as const }] : []),
      ...(last > 2 ? [deep, { page: last, order: 'recent' as const }] : []),
    ];
    comparisons.push(await compareWithNaive(clients, one, first, one.isNarrow ? 1 : 1 / 20, options));
    comparisons.push(await compareWithSmall(clients.ours, one, options));
    for (const asked of ends) {
      comparisons.push(await compareWithNaive(clients, one, asked, 1, options));
      comparisons.push(await compareWithFirst(clients.ours, one, asked, options));
    }
  }
  return comparisons;
}

/** @throws when the two give different answers */
async function answers({ ours, theirs }: Clients, one: ListCase, asked: PageAsked) {
  const [a, b] = [
    readAnswer((await ours.get(servicePath(one, 'large', asked))).body),
    readAnswer((await theirs.get(rivalPath(one, 'large', asked))).body),
  ];
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error(`${one.what}, ${describe(asked)}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
  return a;
}

async function compareWithNaive(
  clients: Clients,
  one: ListCase,
  asked: PageAsked,
  atMost: number,
  options: BenchmarkOptions,
): Promise<Comparison> {
  await answers(clients, one, asked);
  const [a, b] = [servicePath(one, 'large', asked), rivalPath(one, 'large', asked)];
  return compare(
    { what: `${one.what}, ${describe(asked)}`, rival: NAIVE, target: { atMost } },
    { ours: () => clients.ours.get(a), theirs: () => clients.theirs.get(b) },
    options,
  );
}

function compareWithSmall(ours: HttpClient, one: ListCase, options: BenchmarkOptions): Promise<Comparison> {
  const first: PageAsked = { page: 1, order: 'recent' };
  const [a, b] = [servicePath(one, 'large', first), servicePath(one, 'small', first)];
  return compare(
    { what: `${one.what}, page 1`, rival: 'the same of 2,000 rows', target: { atMost: 3 } },
    { ours: () => ours.get(a), theirs: () => ours.get(b) },
    options,
  );
}

function compareWithFirst(ours: HttpClient, one: ListCase, asked: PageAsked, options: BenchmarkOptions) {
  const [a, b] = [servicePath(one, 'large', asked), servicePath(one, 'large', { page: 1, order: 'recent' })];
  return compare(
    { what: `${one.what}, ${describe(asked)}`, rival: 'its page 1', target: { atMost: 5 } },
    { ours: () => ours.get(a), theirs: () => ours.get(b) },
    options,
  );
}

const describe = ({ page, order }: PageAsked) => `page ${page}${order === 'oldest' ? ', oldest first' : ''}`;

/** Medians of single requests, alternately; each is as often the first. */
async function compare(
  about: Pick<Comparison, 'what' | 'rival' | 'target'>,
  { ours, theirs }: Record<'ours' | 'theirs', () => Promise<{ milliseconds: number }>>,
  { rounds }: BenchmarkOptions,
): Promise<Comparison> {
  const [a, b]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const both = [
      async () => a.push((await ours()).milliseconds),
      async () => b.push((await theirs()).milliseconds),
    ];
    for (const ask of round % 2 === 0 ? both : both.reverse()) await ask();
  }
  return { ...about, unit: 'ms a request', ...medians(a, b) };
}

async function startRival(databaseUrl: string): Promise<{ address: string; stop(): Promise<void> }> {
  const program = fileURLToPath(new URL('../rivals/naive-lists.js', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [address] = (await once(
    createInterface({ input: child.stdout as NodeJS.ReadableStream }),
    'line',
  )) as [string];
  const ended = once(child, 'exit');
  return {
    address,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
