/**
 * A steady load for hours, and then the question whether anything grows that should not.
 */
import { appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../support/random.js';
import { ageRows } from './age-rows.js';
import { describeVerdicts, show } from './describe.js';
import { drive, type LoadReport } from './drive.js';
import { judge, type Sample } from './judge.js';
import { readOptions } from './options.js';
import { readDatabase } from './read-database.js';
import { readServerProcess } from './read-process.js';
import { type Site, startSite } from './start.js';
import { createWork } from './work.js';

/** Of all requests, beside 503. */
const MAX_FAILED_SHARE = 0.001;
const SHOWN_ERRORS = 20;

const options = readOptions();
const began = performance.now();
const stopping = new AbortController();
const errors = new Map<string, number>();
const cleanups: (() => unknown)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  const result = await soak();
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : `${describe(result)}\n`);
  process.exitCode = result.isWell ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const cleanUp of cleanups.reverse()) await cleanUp();
}

async function soak() {
  log(`seed ${options.seed}; starting`);
  const site = await startSite(cleanups);
  const random = createRandom(options.seed);
  const work = createWork({ tenants: site.tenants, pool: site.pool, random });
  await work.fill();
  log('filled; the load begins');
  const load = drive(work.next, {
    rate: options.rate,
    onError: (kind, error) => {
      const text = `${kind}: ${(error as Error).message}`.slice(0, 300);
      if (errors.size < SHOWN_ERRORS || errors.has(text)) errors.set(text, (errors.get(text) ?? 0) + 1);
    },
  });
  const totals = { requests: 0, failed: 0, unavailable: 0, skipped: 0 };
  const samples: Sample[] = [];
  const started = performance.now();
  try {
    while (performance.now() - started < options.ms && !stopping.signal.aborted) {
      await delay(options.sampleMs, undefined, { signal: stopping.signal }).catch(() => {});
      await ageRows(site.pool, options.keepMs);
      const report = load.report();
      for (const name of ['requests', 'failed', 'unavailable', 'skipped'] as const)
        totals[name] += report[name];
      const sample = await measure(site, report, (performance.now() - started) / 3_600_000);
      samples.push(sample);
      if (options.samplesFile) await appendFile(options.samplesFile, `${JSON.stringify(sample)}\n`);
      printSample(sample, report);
    }
  } finally {
    await load.stop();
  }
  const judged = samples.filter(({ hours }) => hours * 3_600_000 >= options.warmUpMs);
  const verdicts = judge(judged);
  const growing = verdicts.filter(({ isGrowing }) => isGrowing).map(({ name }) => name);
  const isWell =
    judged.length >= 3 && growing.length === 0 && totals.failed <= MAX_FAILED_SHARE * totals.requests;
  const hours = samples.at(-1)?.hours ?? 0;
  return {
    isWell,
    growing,
    seed: options.seed,
    hours,
    rate: options.rate,
    samples: judged.length,
    totals,
    delivered: site.received(),
    errors: Object.fromEntries(errors),
    verdicts,
  };
}

async function measure(site: Site, { p50, p99 }: LoadReport, hours: number): Promise<Sample> {
  const values: Record<string, number> = { 'latency p50': p50, 'latency p99': p99 };
  const add = (prefix: string, found: Record<string, number>) => {
    for (const [name, value] of Object.entries(found)) values[`${prefix}${name}`] = value;
  };
  add('api ', await readServerProcess(site.api.process));
  add('worker ', await readServerProcess(site.worker.process));
  const { connections = 0, memory, ...tables } = await readDatabase(site.pool);
  add('database ', { connections, ...(memory !== undefined && { memory }) });
  add('', tables);
  const {
    'audit_events table': table = 0,
    'audit_events indexes': indexes = 0,
    'audit_events rows': rows,
  } = tables;
  if (rows) values['audit_events bytes a row'] = (table + indexes) / rows;
  return { hours, values };
}

function printSample(
  { hours, values }: Sample,
  { requests, failed, unavailable, skipped, p50, p99 }: LoadReport,
): void {
  const shown = [
    'api rss',
    'api heap',
    'worker rss',
    'worker heap',
    'database memory',
    'database connections',
  ];
  const parts = shown.flatMap((name) =>
    values[name] === undefined ? [] : `${name} ${show(name, values[name])}`,
  );
  log(
    `${hours.toFixed(2)} h: ${requests} requests, ${failed} failed, ${unavailable} by 503, ${skipped} not sent, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ${parts.join(', ')}`,
  );
}

function describe(result: Awaited<ReturnType<typeof soak>>): string {
  const { totals, verdicts, growing, isWell } = result;
  const failures = Object.entries(result.errors).map(([text, count]) => `  ${count} × ${text}`);
  return [
    `${result.hours.toFixed(2)} hours at ${result.rate} requests a second, seed ${result.seed}; ${result.samples} measurements after the warm-up`,
    `${totals.requests} requests answered, ${totals.failed} failed, ${totals.unavailable} by 503, ${totals.skipped} not sent; ${result.delivered} events received`,
    ...failures,
    '',
    describeVerdicts(verdicts),
    '',
    isWell
      ? 'All is flat.'
      : growing.length > 0
        ? `Grows: ${growing.join(', ')}.`
        : 'Too short, or too many requests failed.',
  ].join('\n');
}

function log(line: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(5);
  process.stderr.write(`${seconds} s  ${line}\n`);
}
