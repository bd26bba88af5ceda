/**
 * Tries API keys that are wrong in different ways, and compares how long the server takes to refuse them.
 */

import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { readOptions } from '../support/read-options.js';
import { prepareInvalidKeys } from './invalid-keys.js';
import { measure, shareLonger } from './measure.js';

const USAGE = `Usage: npm run bench -- auth-timing [--rounds N] [--json]

Starts a server of its own that asks for API keys, on an empty embedded database, and tries keys that nobody made, keys
with a wrong secret, revoked and expired ones, one of each in every round. Prints how long each kind takes to be
refused, and how often one takes longer than an unknown one: half of the times where nobody can tell them apart. Unknown
ones are measured twice, which tells what is chance.

  --rounds N  default 5000
  --json      print JSON

Status 0 when all were measured, 1 after a failure, 2 when called wrongly.`;

const { rounds, json } = readOptions(USAGE, { rounds: 5_000 });
const { dataDir, remove } = await makeDataDir('bench');
const database = await startEmbedded({ dataDir });
try {
  await migrateToLatest(database.url);
  const { db, close } = connectDatabase(database.url, { max: 2 });
  const apiKeys = createApiKeys({
    db,
    writeTransaction: createWriteTransaction(db),
    clock: () => new Date(),
    maxPageSize: 1,
  });
  const attempts = await prepareInvalidKeys(apiKeys).finally(close);
  const server = await startServer({
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_MODE: 'required',
      RATE_LIMIT_FAILED_KEYS: 'off',
    },
  });
  const times = await measure(server.address, attempts, rounds).finally(server.stop);
  const [unknown = []] = times.values();
  const results = [...times].map(([kind, ms]) => ({
    kind,
    median: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
    ratio: quantile(ms, 0.5) / quantile(unknown, 0.5),
    longer: ms === unknown ? 0.5 : shareLonger(ms, unknown),
  }));
  process.stdout.write(json ? `${JSON.stringify({ rounds, results })}\n` : describe(results));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await database.stop();
  await remove();
}

interface Result {
  kind: string;
  median: number;
  p95: number;
  ratio: number;
  longer: number;
}

function describe(results: Result[]): string {
  const rows = results.map(({ kind, median, p95, ratio, longer }) =>
    [
      kind.padEnd(14),
      median.toFixed(3).padStart(9),
      p95.toFixed(3).padStart(9),
      ratio.toFixed(3).padStart(9),
      `${(longer * 100).toFixed(1)}%`.padStart(9),
    ].join(''),
  );
  const header = ['key'.padEnd(14), 'median', '95%', 'ratio', 'longer']
    .map((name) => name.padStart(9))
    .join('');
  return `${rounds} rounds, milliseconds until refused:\n\n${header}\n${rows.join('\n')}\n`;
}
