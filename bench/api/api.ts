/** Benchmarks the API beside rivals that give the same answers. */

import { namesIn } from '../support/names-in.js';
import { readOptions } from '../support/read-options.js';
import { appends } from './appends.js';
import { describe } from './describe.js';
import { eventLoop } from './event-loop/event-loop.js';
import { ingestion } from './ingestion/ingestion.js';
import { largeLists } from './large-lists/large-lists.js';
import { latency } from './latency.js';
import { limits } from './limits/limits.js';
import { lists } from './lists.js';
import { mcp } from './mcp.js';
import { messageSearch } from './message-search.js';
import { pointReads } from './point-reads.js';
import type { Comparison, Question } from './question.js';
import { findWorse, recordRatios } from './ratios.js';
import { start } from './start.js';
import { tracing } from './tracing.js';
import { trpc } from './trpc.js';
import { writes } from './writes.js';

const QUESTIONS: Question[] = [
  pointReads,
  lists,
  writes,
  appends,
  trpc,
  mcp,
  tracing,
  largeLists,
  messageSearch,
  limits,
  ingestion,
  latency,
  start,
  eventLoop,
];

const USAGE = `Usage: npm run bench -- api [--only NAMES] [--requests N] [--rounds N] [--percent N] [--data DIR] [--check] [--record] [--json]

Measures the service beside rivals that give the same answers, alternately, in processes of its own on an embedded
database of its own, and prints medians and ratios. A rival that gives another answer ends the benchmark.

  --only NAMES  of the questions, separated by commas: ${QUESTIONS.map(({ name }) => name).join(', ')}; default all
  --requests N  of each kind in a round; default 300
  --rounds N    default 9
  --percent N   rows of the largest corpora, per cent of two million conversations, one million documents, and ten
                million messages;
                default 100
  --data DIR    keeps the messages of message-search, which take an hour to index, and goes on with what is there
  --check       fails where a ratio is worse by more than .1 than in bench/api/ratios.json
  --record      writes the ratios to that file
  --json        print JSON

Status 0 when all was measured, 1 after a failure or where --check found a worse ratio, 2 when called wrongly. Progress goes to standard error.`;

const { only, requests, rounds, percent, data, check, record, json } = readOptions(
  USAGE,
  { only: '', requests: 300, rounds: 9, percent: 100, data: '', check: false, record: false },
  (given) => {
    const unknown = namesIn(given.only).filter((name) => !QUESTIONS.some((one) => one.name === name));
    if (unknown.length > 0) throw new Error(`There is no question ${unknown.join(', ')}.`);
    if (given.percent > 100) throw new Error('--percent is at most 100.');
  },
);

const asked = only === '' ? QUESTIONS : QUESTIONS.filter(({ name }) => namesIn(only).includes(name));
const log = (line: string) => process.stderr.write(`${line}\n`);
try {
  const answers: Record<string, Comparison[]> = {};
  for (const question of asked) {
    log(`${question.name}: ${question.title}`);
    const comparisons = await question.measure({ requests, rounds, percent, data, log });
    answers[question.name] = comparisons;
    if (!json) process.stdout.write(describe(question, comparisons));
  }
  if (record) await recordRatios(answers);
  const worse = check ? await findWorse(answers) : [];
  for (const line of worse) log(line);
  if (worse.length > 0) process.exitCode = 1;
  if (json) process.stdout.write(`${JSON.stringify(answers, null, 2)}\n`);
} catch (error) {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
