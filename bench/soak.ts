/**
 * Changes, searches and faults at random, all at once, and then the question whether anything was lost or wrong.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCommand } from './soak/commands.js';
import { makeFaults } from './soak/faults.js';
import type { Model } from './soak/model.js';
import { createOperations } from './soak/operations.js';
import { readOptions } from './soak/options.js';
import { prepareLectern, prepareSearchServer } from './soak/processes.js';
import { createAsk } from './soak/requests.js';
import { createSearches } from './soak/searches.js';
import { type Comparison, countDifferences, waitForSync } from './soak/wait-for-sync.js';
import { createRandom } from './support/random.js';

const WRITERS = 6;
const SEARCHERS = 2;
const SAMPLE = 500;
const LOG_INTERVAL_MS = 5_000;
/** Of what went wrong. */
const SHOWN = 20;

const { meilisearch, operations: wanted, seed, json } = readOptions();
const random = createRandom(seed);
const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-soak-'));
const search = await prepareSearchServer(meilisearch, folder);
const lectern = await prepareLectern(search.env, folder);
const began = performance.now();
let done = 0;
log(`seed ${seed}, in ${folder}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await Promise.all([search.kill(), lectern.kill()]);
    process.exit(1);
  });
}

try {
  const result = await soak();
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
  process.exitCode = result.isWell ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all([search.kill(), lectern.kill()]);
  if (process.exitCode === 0) await rm(folder, { recursive: true, force: true });
  else log(`the logs and data are left in ${folder}`);
}

async function soak() {
  await search.start();
  await lectern.start();
  const model: Model = { documents: new Map() };
  const ask = createAsk(lectern.address);
  const operations = createOperations(model, ask, random);
  const searches = createSearches(model, ask, random);
  let isOver = false;

  const writing = Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (done < wanted) {
        done++;
        await operations.perform();
      }
    }),
  ).finally(() => {
    isOver = true;
  });
  const telling = setInterval(() => {
    const { answered, unavailable } = searches.counts;
    const wrong = searches.wrong.length + operations.failures.length;
    log(`${done} operations, ${answered} searches answered and ${unavailable} by 503, ${wrong} wrong`);
  }, LOG_INTERVAL_MS);
  const searching = Array.from({ length: SEARCHERS }, () => searches.keepSearching(() => isOver));
  const [faults] = await Promise.all([
    makeFaults({ search, lectern, random }, () => isOver),
    writing,
    ...searching,
  ]).finally(() => clearInterval(telling));

  const ended = performance.now();
  log(`${done} operations are over; waiting until the index is in step`);
  const inStep = await waitForSync(lectern.env);
  const secondsUntilInStep = Math.round((performance.now() - ended) / 1000);
  log('building the index anew');
  const rebuilt = await runCommand(['search', 'reindex'], lectern.env).result;
  if (rebuilt.status !== 0) operations.failures.push(`the index is not rebuilt: ${rebuilt.errors}`);
  const afterRebuild = await waitForSync(lectern.env);
  const sample = await searches.checkSample(SAMPLE);
  const wrong = [...operations.failures, ...searches.wrong];
  const isWhole = [inStep, afterRebuild].every((one) => countDifferences(one) + one.setAside === 0);
  return {
    isWell: wrong.length === 0 && isWhole && sample.found > 0,
    seed,
    seconds: Math.round((performance.now() - began) / 1000),
    operations: operations.counts,
    faults,
    searches: searches.counts,
    secondsUntilInStep,
    inStep,
    afterRebuild,
    sample,
    wrong: { count: wrong.length, first: wrong.slice(0, SHOWN) },
  };
}

function describe(result: Awaited<ReturnType<typeof soak>>): string {
  const { searches, wrong, sample } = result;
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return `
seed         ${result.seed}
duration     ${result.seconds} s; the index was in step ${result.secondsUntilInStep} s after the last change
operations   ${list(result.operations)}
faults       ${list(result.faults)}
searches     ${list(searches)}
in step      ${describeComparison(result.inStep)}
rebuilt      ${describeComparison(result.afterRebuild)}
sample       ${list(sample)}
wrong        ${wrong.count}
${wrong.first.map((one) => `  ${one}\n`).join('')}
${result.isWell ? 'Nothing was lost and nothing was wrong.' : 'Something was wrong.'}
`;
}

function describeComparison({ chunks, missing, outdated, surplus, setAside }: Comparison): string {
  const differences = `missing ${missing.count}, outdated ${outdated.count}, surplus ${surplus.count}`;
  return `${chunks} chunks; ${differences}, set aside ${setAside}`;
}

function log(line: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${line}\n`);
}
