/**
 * Measures what tenant isolation costs: the same calls of the services with and without it.
 */
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { readOptions } from '../support/read-options.js';
import { type ComparedCall, prepareOperations } from './operations.js';

const USAGE = `Usage: npm run bench -- isolation [--rounds N] [--calls N] [--json]

Calls services on an embedded database of its own, one call after another, and compares: single reads with and without
the query guard, writes with and without PostgreSQL's row-level security in their transaction. Each round does both,
in turns, many times; printed is the median of the rounds, as microseconds and as a ratio.

  --rounds N  default 60
  --calls N   calls of each kind in a round; default 100
  --json      print JSON

Status 0 when all was measured, 1 after a failure, 2 when called wrongly.`;

const { rounds, calls, json } = readOptions(USAGE, { rounds: 60, calls: 100 });
const { dataDir, remove } = await makeDataDir('bench');
const database = await startEmbedded({ dataDir });
const { pool, close } = connectDatabase(database.url, { max: 2 });
try {
  await migrateToLatest(database.url);
  const measured = [];
  for (const operation of await prepareOperations(pool)) measured.push(await measure(operation));
  print(measured);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await close();
  await database.stop();
  await remove();
}

interface Measured {
  operation: string;
  /** In microseconds a call. */
  without: number;
  with: number;
  ratio: number;
}

async function measure({ name, guarded, bare }: ComparedCall): Promise<Measured> {
  // The first rounds warm up.
  const warmUp = Math.ceil(rounds / 10);
  const found: { guarded: number; bare: number }[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const spent = { guarded: 0, bare: 0 };
    for (let i = 0; i < calls; i++) {
      // In turns, and each as often the first: whatever else slows the machine slows both.
      for (const isGuarded of i % 2 ? [true, false] : [false, true]) {
        const since = performance.now();
        await (isGuarded ? guarded() : bare());
        spent[isGuarded ? 'guarded' : 'bare'] += performance.now() - since;
      }
    }
    if (round >= warmUp) found.push(spent);
  }
  const perCall = (times: number[]) => (quantile(times, 0.5) / calls) * 1_000;
  return {
    operation: name,
    without: perCall(found.map(({ bare }) => bare)),
    with: perCall(found.map((spent) => spent.guarded)),
    ratio: quantile(
      found.map((spent) => spent.guarded / spent.bare),
      0.5,
    ),
  };
}

function print(measured: Measured[]): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
    return;
  }
  for (const { operation, without, with: guarded, ratio } of measured) {
    const times = `${without.toFixed(0).padStart(6)} µs without, ${guarded.toFixed(0).padStart(6)} µs with`;
    process.stdout.write(`${operation.padEnd(26)}${times}: ${ratio.toFixed(3)}\n`);
  }
}
