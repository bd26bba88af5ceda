/** Measures `lectern backup`, `backup verify` and `restore` on invented chunks and files. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { formatTable } from '../../src/cli/shared/format.js';
import { makeCorpus, TENANT } from '../support/corpus.js';
import { mergeAll } from '../support/merge-all.js';
import { readOptions } from '../support/read-options.js';
import { startBenchDatabase } from '../support/start-bench-database.js';
import { addFiles } from './add-files.js';
import { measureCommand } from './measure-command.js';

const USAGE = `Usage: npm run bench -- backup [--chunks N] [--files N] [--mib N] [--json]

Makes chunks of invented words and random files in an embedded database and a folder of its own, backs them up beside it,
verifies the backup, and restores it into another embedded database. Prints seconds, rates and memory of each command.

  --chunks N  default 100000
  --files N   default 2000
  --mib N     of all files, default 200
  --json      print JSON

Status 0 when all was measured, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

const { chunks, files, mib, json } = readOptions(USAGE, { chunks: 100_000, files: 2_000, mib: 200 });
const cleanups: (() => unknown)[] = [];
try {
  const results = await measure();
  const lines = results.map(({ command, seconds, mibPerSecond, memoryMib }) => [
    command,
    seconds.toFixed(1),
    mibPerSecond.toFixed(0),
    memoryMib.toFixed(0),
  ]);
  const text = formatTable(['command', 'seconds', 'MiB of the backup a second', 'MiB of memory'], lines);
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : text);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

async function measure() {
  const { dataDir, db } = await startBenchDatabase(cleanups);
  const onProgress = (made: number) => process.stderr.write(`\r${made} of ${chunks} chunks`);
  await makeCorpus(db, { chunks, neighbours: 0, onProgress });
  process.stderr.write('\n');
  await mergeAll(db, TENANT);
  await addFiles({ db, dataDir, files, bytes: mib * 1024 * 1024 });
  const work = await mkdtemp(path.join(os.tmpdir(), 'lectern-bench-backup-'));
  cleanups.push(() => rm(work, { recursive: true, force: true }));
  const target = await makeDataDir('bench-restored');
  cleanups.push(target.remove);

  const folder = path.join(work, 'backup');
  const original = { DATA_DIR: dataDir };
  const results = [await measureCommand(['backup', '--to', folder], folder, original)];
  results.push(await measureCommand(['backup', 'verify', folder], folder, original));
  results.push(await measureCommand(['restore', folder], folder, { DATA_DIR: target.dataDir }));
  return results;
}
