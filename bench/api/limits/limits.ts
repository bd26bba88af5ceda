import { connectDatabase } from '../../../db/client.js';
import { startEmbedded } from '../../../db/embedded.js';
import { migrateToLatest } from '../../../db/migrate.js';
import { permissions } from '../../../src/auth/permissions.js';
import { quantile } from '../../../src/cli/eval/quantile.js';
import { startServer } from '../../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';
import { createApiKeys } from '../../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../../src/services/shared/write-transaction.js';
import { createHttpClient } from '../../search/http-client.js';
import { startTokenIssuer } from '../../support/token-issuer.js';
import type { BenchmarkOptions, Comparison, Question } from '../question.js';
import { processorTimeOf } from './processor-time.js';

const TENANT = 'acme';
const CALLERS = 16;
const DAY_SECONDS = 86_400;
const REQUESTS_AT_A_TIME = 8 * CALLERS;
/** Limits that count every request and refuse none. */
const LIMITS = { RATE_LIMIT_KEY_REQUESTS: '100000000/60', RATE_LIMIT_TENANT_REQUESTS: '100000000/60' };
const WITHOUT_LIMITS = { RATE_LIMIT_KEY_REQUESTS: 'off', RATE_LIMIT_TENANT_REQUESTS: 'off' };
const MODES = {
  open: { AUTH_MODE: 'open' },
  /** The same again, which tells what is chance. */
  control: { AUTH_MODE: 'open' },
  keys: { AUTH_MODE: 'required', ...WITHOUT_LIMITS },
  tokens: { AUTH_MODE: 'required', ...WITHOUT_LIMITS },
  limits: { AUTH_MODE: 'required', RATE_LIMIT_STORE: 'postgres', ...LIMITS },
};
type Mode = keyof typeof MODES;

export const limits: Question = {
  name: 'limits',
  title: 'API keys, tokens, and rate limits in PostgreSQL, beside open mode: GET of a conversation',

  async measure(options) {
    const cleanups: (() => Promise<unknown> | unknown)[] = [];
    try {
      return await measureModes(options, cleanups);
    } finally {
      for (const cleanup of cleanups.reverse()) await cleanup();
    }
  },
};

async function measureModes(
  { requests, rounds, log }: BenchmarkOptions,
  cleanups: (() => Promise<unknown> | unknown)[],
): Promise<Comparison[]> {
  const { dataDir, remove } = await makeDataDir('bench');
  cleanups.push(remove);
  const { url, stop } = await startEmbedded({ dataDir });
  cleanups.push(stop);
  await migrateToLatest(url);
  const key = await createKey(url);
  const issuer = await startTokenIssuer();
  cleanups.push(issuer.close);
  const { audience } = issuer.config();
  const AUTH_ISSUERS = JSON.stringify({ issuer: issuer.url, audience, tenants: [TENANT], tenant: TENANT });
  const exp = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  const token = await issuer.sign({ sub: 'benchmark', scope: permissions.join(' '), exp });
  const targets = new Map<Mode, Target>();
  for (const mode of ['open', 'control', 'keys', 'tokens', 'limits'] as const) {
    const isToken = mode === 'tokens';
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      ROLE: 'api',
      ...MODES[mode],
      ...(isToken && { AUTH_ISSUERS }),
    };
    const server = await startServer({ env });
    cleanups.push(server.stop);
    const http = createHttpClient(
      server.address,
      isToken ? { authorization: `Bearer ${token}` } : { 'x-api-key': key },
    );
    cleanups.push(http.close);
    targets.set(mode, { http, processId: server.process.pid as number });
  }
  const open = targets.get('open') as Target;
  const { body } = await open.http.post(`/admin/api/v2/conversations?tenant_id=${TENANT}`, {
    topic: 'Refund',
  });
  const path = await assertSameAnswer(targets, (body as { id: string }).id);
  for (const { http } of targets.values()) await ask(http, path, requests);

  const cpu = new Map<Mode, number[]>();
  const throughput = new Map<Mode, number[]>();
  for (let round = 0; round < rounds; round++) {
    log(`round ${round + 1} of ${rounds}`);
    const spent = await measureRound(targets, path, requests);
    for (const [mode, { cpuMs, elapsedMs }] of spent) {
      push(cpu, mode, (cpuMs * 1000) / requests);
      push(throughput, mode, (requests * 1000) / elapsedMs);
    }
  }
  const compare = (
    values: Map<Mode, number[]>,
    mode: Mode,
    what: Pick<Comparison, 'what' | 'unit' | 'target'>,
    beside: Mode = 'open',
  ): Comparison => {
    const [ours = [], theirs = []] = [values.get(mode), values.get(beside)];
    const ratio = median(ours.map((value, i) => value / (theirs[i] as number)));
    const rival = beside === 'open' ? 'open mode' : beside;
    return { ...what, rival, ours: median(ours), theirs: median(theirs), ratio };
  };
  const [unit, perSecond] = ['µs of CPU a request', 'requests a second'];
  return [
    compare(cpu, 'control', { what: 'open mode again, one caller', unit }),
    compare(throughput, 'control', { what: 'open mode again, 16 callers', unit: perSecond }),
    compare(cpu, 'keys', { what: 'keys, one caller', unit, target: { atMost: 1.1 } }),
    compare(cpu, 'tokens', { what: 'tokens, one caller', unit, target: { atMost: 1.1 } }, 'keys'),
    compare(cpu, 'limits', { what: 'keys and limits, one caller', unit, target: { atMost: 1.2 } }),
    compare(throughput, 'keys', {
      what: 'keys, 16 callers of one key',
      unit: perSecond,
      target: { atLeast: 0.85 },
    }),
    compare(throughput, 'limits', {
      what: 'keys and limits, 16 callers of one key',
      unit: perSecond,
      target: { atLeast: 0.85 },
    }),
  ];
}

interface Spent {
  /** Of the server, for the requests of one caller. */
  cpuMs: number;
  /** Until as many requests of all callers were answered. */
  elapsedMs: number;
}

/** Few requests at a time and alternately, so that whatever else the machine does slows all modes. */
async function measureRound(
  targets: Map<Mode, Target>,
  path: string,
  requests: number,
): Promise<Map<Mode, Spent>> {
  const spent = new Map([...targets.keys()].map((mode) => [mode, { cpuMs: 0, elapsedMs: 0 }]));
  const turns = Math.ceil(requests / REQUESTS_AT_A_TIME);
  for (let turn = 0; turn < turns; turn++) {
    for (const [mode, { http, processId }] of rotate([...targets], turn)) {
      const one = spent.get(mode) as Spent;
      const before = processorTimeOf(processId);
      await ask(http, path, requests / turns);
      one.cpuMs += processorTimeOf(processId) - before;
      const begin = performance.now();
      await Promise.all(Array.from({ length: CALLERS }, () => ask(http, path, requests / turns / CALLERS)));
      one.elapsedMs += performance.now() - begin;
    }
  }
  return spent;
}

interface Target {
  http: ReturnType<typeof createHttpClient>;
  processId: number;
}

async function createKey(url: string): Promise<string> {
  const { db, close } = connectDatabase(url, { max: 2 });
  const apiKeys = createApiKeys({
    db,
    writeTransaction: createWriteTransaction(db),
    clock: () => new Date(),
    maxPageSize: 1,
  });
  const issued = { scope: { tenantId: TENANT }, scopes: [...permissions], name: 'benchmark' };
  return apiKeys
    .create(issued, { userId: undefined })
    .then(({ key }) => key)
    .finally(close);
}

/** @returns the path of the conversation */
async function assertSameAnswer(targets: Map<Mode, Target>, id: string): Promise<string> {
  const path = `/admin/api/v2/conversations/${id}?tenant_id=${TENANT}`;
  const answers = await Promise.all([...targets.values()].map(({ http }) => http.get(path)));
  const [first, ...others] = answers.map(({ body }) => JSON.stringify(body));
  if (others.some((answer) => answer !== first)) throw new Error('The modes give different answers.');
  return path;
}

async function ask(http: Target['http'], path: string, requests: number): Promise<void> {
  for (let i = 0; i < Math.ceil(requests); i++) await http.get(path);
}

/** Each is as often the first, and follows each other about as often. */
function rotate<T>(all: T[], turn: number): T[] {
  const first = turn % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return Math.floor(turn / all.length) % 2 ? order.reverse() : order;
}

function push(values: Map<Mode, number[]>, mode: Mode, value: number): void {
  values.set(mode, [...(values.get(mode) ?? []), value]);
}

const median = (values: number[]): number => quantile(values, 0.5);
