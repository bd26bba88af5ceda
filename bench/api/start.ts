import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import type { BenchmarkOptions, Comparison, Question } from './question.js';
import { embeddedEnvironment } from './support/with-embedded-server.js';

const REST_MS = 5_000;
const PAGE_BYTES = 4_096;
const MIB = 2 ** 20;
/** Prints its port as soon as it listens. */
const BARE = `
  const server = require('node:http').createServer((_, res) => res.end('{}'));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

interface Start {
  seconds: number;
  mebibytes: number;
}

/** From the start of a process to its first answer, and what it takes at rest. */
export const start: Question = {
  name: 'start',
  title: 'Cold start, and memory at rest',
  async measure(options) {
    const { dataDir, remove } = await makeDataDir('bench');
    const env = embeddedEnvironment(dataDir);
    try {
      // The first start makes the database.
      await startLectern(env);
      const embedded = await compareStarts('embedded database', env, options);
      const database = await startEmbedded({ dataDir });
      try {
        await migrateToLatest(database.url);
        const external = { ...env, DATABASE_URL: database.url };
        return [...(await compareStarts('external database', external, options)), ...embedded];
      } finally {
        await database.stop();
      }
    } finally {
      await remove();
    }
  },
};

async function compareStarts(
  where: 'embedded database' | 'external database',
  env: NodeJS.ProcessEnv,
  { rounds, log }: BenchmarkOptions,
): Promise<Comparison[]> {
  log(where);
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const isOurs of round % 2 ? [true, false] : [false, true]) {
      if (isOurs) ours.push(await startLectern(env));
      else theirs.push(await startBare());
    }
  }
  const isExternal = where === 'external database';
  return [
    compare(`first answer, ${where}`, 's', [ours, theirs], ({ seconds }) => seconds, isExternal ? 0.7 : 2),
    compare(
      `at rest, ${where}`,
      'MiB',
      [ours, theirs],
      ({ mebibytes }) => mebibytes,
      isExternal ? 160 : undefined,
    ),
  ];
}

function compare(
  what: string,
  unit: string,
  measured: [Start[], Start[]],
  pick: (one: Start) => number,
  atMost: number | undefined,
): Comparison {
  const [ours, theirs] = measured.map((starts) => quantile(starts.map(pick), 0.5)) as [number, number];
  return {
    what,
    unit,
    rival: 'an empty node:http server',
    ours,
    theirs,
    ratio: ours / theirs,
    ...(atMost !== undefined && { target: { atMost, of: 'ours' as const } }),
  };
}

async function startLectern(env: NodeJS.ProcessEnv): Promise<Start> {
  const begin = performance.now();
  const server = await startServer({ env });
  try {
    const answer = await fetch(`${server.address}/admin/api/v2/conversations?tenant_id=bench`);
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const seconds = (performance.now() - begin) / 1_000;
    return { seconds, mebibytes: await restingMebibytes(server.process) };
  } finally {
    await server.stop();
  }
}

async function startBare(): Promise<Start> {
  const begin = performance.now();
  const bare = spawn(process.execPath, ['--eval', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise<string>((resolve) =>
      bare.stdout.once('data', (data) => resolve(`${data}`)),
    );
    await fetch(`http://127.0.0.1:${port.trim()}/`);
    const seconds = (performance.now() - begin) / 1_000;
    return { seconds, mebibytes: await restingMebibytes(bare) };
  } finally {
    bare.kill();
  }
}

/** Resident memory of a process after a while without requests. */
async function restingMebibytes({ pid }: ChildProcess): Promise<number> {
  await delay(REST_MS);
  const [, resident] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ');
  return (Number(resident) * PAGE_BYTES) / MIB;
}
