/** Kills everything at random moments under load, and then asks whether anything was lost. */
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRandom } from '../../bench/support/random.js';
import { readOptions } from './options.js';
import { describeResult } from './report.js';
import { runChaos } from './run.js';
import { prepareTopology } from './topology/topology.js';

const options = readOptions();
const began = performance.now();
const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-chaos-'));
chmodSync(folder, 0o755); // PostgreSQL may run as another account.
log(`seed ${options.seed}, in ${folder}`);
const topology = await prepareTopology({ ...options, folder, random: createRandom(options.seed) });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await topology.stop();
    log(`the logs and data are left in ${folder}`);
    process.exit(1);
  });
}

try {
  const result = await runChaos(options, topology, log);
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : describeResult(result));
  process.exitCode = result.isWell ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await topology.stop();
  if (process.exitCode === 0) await rm(folder, { recursive: true, force: true });
  else log(`the logs and data are left in ${folder}`);
}

function log(line: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${line}\n`);
}
