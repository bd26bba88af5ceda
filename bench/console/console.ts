/**
 * Measures the console in Chromium: paints, scripts, and frames while a long list is scrolled.
 */

import { sql } from 'kysely';
import { chromium } from 'playwright-core';
import type { Database } from '../../db/schema.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { findChromium } from '../support/chromium.js';
import { readOptions } from '../support/read-options.js';
import { startBenchDatabase } from '../support/start-bench-database.js';
import { type Interaction, measureInteractions } from './measure-interactions.js';
import { type Load, measureLoad, measureScroll, type Scroll } from './measure-page.js';

const USAGE = `Usage: npm run bench -- console [--rounds N] [--documents N] [--steps N] [--json]

Starts a server of its own with many documents, and opens its console in the Chromium of this system, or in that named by
CHROMIUM. Prints for each screen, loaded with nothing cached, the median of the first and of the largest paint and the
size of its scripts; then scrolls through the documents, and prints the frames that took more than 50 ms; then clicks and
types in the list, and prints the milliseconds to the next paint.

  --rounds N     loads of each screen, and repetitions of what is clicked and typed, default 9
  --documents N  default 100000
  --steps N      turns of the mouse wheel at most, default 1000
  --json         print JSON

Status 0 when all was measured, 1 after a failure, 2 when called wrongly.`;

const TENANT = 'large';
const AT = `?tenant=${TENANT}&unit=main`;
const SCREENS = ['overview', 'documents', 'search', 'conversations'];

const { rounds, documents, steps, json } = readOptions(USAGE, {
  rounds: 9,
  documents: 100_000,
  steps: 1_000,
});
const cleanups: (() => unknown)[] = [];
try {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium. Install it, or name it in CHROMIUM.');
  const { url, dataDir, db } = await startBenchDatabase(cleanups);
  await makeDocuments(db, documents);
  const server = await startServer({
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, AUTH_MODE: 'open' },
  });
  cleanups.push(server.stop);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  cleanups.push(() => browser.close());

  const loads = new Map<string, Load[]>(SCREENS.map((screen) => [screen, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [screen, measured] of loads)
      measured.push(await measureLoad(browser, `${server.address}/${screen}${AT}`));
  }
  const screens = [...loads].map(([screen, measured]) => ({
    screen,
    firstPaint: quantile(
      measured.map(({ firstPaint }) => firstPaint),
      0.5,
    ),
    largestPaint: quantile(
      measured.map(({ largestPaint }) => largestPaint),
      0.5,
    ),
    slowestPaint: Math.max(...measured.map(({ largestPaint }) => largestPaint)),
    scriptBytes: Math.max(...measured.map(({ scriptBytes }) => scriptBytes)),
  }));
  const scroll = await measureScroll(browser, `${server.address}/documents${AT}`, steps);
  const interactions = await measureInteractions(browser, `${server.address}/documents${AT}`, rounds);
  process.stdout.write(
    json
      ? `${JSON.stringify({ rounds, documents, screens, scroll, interactions })}\n`
      : `${describe(screens, scroll)}\n${describeInteractions(interactions)}`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

/** Documents that are ready, of several types and datasets. */
async function makeDocuments(db: Database, count: number): Promise<void> {
  await sql`
    with made as (
      insert into documents (id, tenant_id, tenant_unit_id, document_name, document_type, status, source, chunk_count,
        dataset_ids, created_time, updated_time)
      select gen_random_uuid()::text, ${TENANT}, 'main', 'Document ' || n || ' of a rather long list', 'UnstructuredFile',
        'ready', 'content', 0, array['dataset-' || n % 10], now() - make_interval(secs => n), now() - make_interval(secs => n)
      from generate_series(1, ${count}::integer) as n
      returning *
    )
    insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
    select tenant_id, tenant_unit_id, id, dataset_ids[1], created_time from made
  `.execute(db);
}

interface Screen {
  screen: string;
  firstPaint: number;
  largestPaint: number;
  slowestPaint: number;
  scriptBytes: number;
}

function describe(screens: Screen[], { steps, distance, longFrames }: Scroll): string {
  const rows = screens.map(({ screen, ...values }) =>
    [
      screen.padEnd(15),
      ...[values.firstPaint, values.largestPaint, values.slowestPaint, values.scriptBytes / 1_000].map(
        (value) => value.toFixed(0).padStart(11),
      ),
    ].join(''),
  );
  const header = ['', 'first', 'largest', 'slowest', 'scripts']
    .map((name, i) => (i === 0 ? name.padEnd(15) : name.padStart(11)))
    .join('');
  const long = longFrames.map((ms) => ms.toFixed(0)).join(', ');
  return `Paints in milliseconds and scripts in kB, ${rounds} loads of each screen:

${header}
${rows.join('\n')}

${steps} steps through ${documents} documents, ${distance.toFixed(0)} pixels: ${longFrames.length} frames above 50 ms${long ? `: ${long}` : ''}
`;
}

function describeInteractions(interactions: Interaction[]): string {
  const all = interactions.flatMap(({ durations }) => durations);
  const line = (name: string, durations: number[]) =>
    [
      name.padEnd(27),
      ...[durations.length, quantile(durations, 0.5), quantile(durations, 0.95), Math.max(...durations)].map(
        (value) => value.toFixed(0).padStart(8),
      ),
    ].join('');
  return `Milliseconds from keys and clicks to the next paint (16 stands for less, too):

${['', 'number', 'median', 'p95', 'most'].map((name, i) => (i === 0 ? name.padEnd(27) : name.padStart(8))).join('')}
${interactions.map(({ name, durations }) => line(name, durations)).join('\n')}
${line('all', all)}
`;
}
