import { version } from '../../config/version.js';
import { runCommand } from '../run-command.js';
import { countOf, formatFields, JSON_OPTION } from '../shared/format.js';
import { print } from '../shared/print.js';
import { type Result, runChecks } from './run-checks.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Checks what a server needs, and says what to do: configuration, versions, connections, rights, migrations, storage,
disks, search index, models, queues and clocks.

Usage: lectern doctor [--deep] [--json]

${formatFields([['--deep', 'compares every chunk with the index of the search server'], JSON_OPTION])}
Run it with the environment of the server, which may be running. It changes nothing, except that it stores a file and
removes it. Exits with 0, or with 1 if there is a problem.`,
    async ({ values }) => {
      const results = await runChecks({ isDeep: values.deep ?? false });
      print(values.json ? toJson(results) : results.map(toLine).join('') + summarize(results));
      // A request that nobody waits for any more would keep the process.
      process.exit(results.some(({ status }) => status === 'problem') ? 1 : 0);
    },
    { options: { deep: { type: 'boolean' }, json: { type: 'boolean' } } },
  );

const STATUS_WIDTH = 7;
const NAME_WIDTH = 17;

const toLine = ({ check, status, message, advice }: Result): string =>
  `${status.padEnd(STATUS_WIDTH)}  ${check.padEnd(NAME_WIDTH)}  ${message}${advice ? ` ${advice}` : ''}\n`;

function summarize(results: Result[]): string {
  const count = (wanted: Result['status']) => results.filter(({ status }) => status === wanted).length;
  return `\n${countOf(count('problem'), 'problem')}, ${countOf(count('warning'), 'warning')}.\n`;
}

const toJson = (results: Result[]): string =>
  `${JSON.stringify({ version, time: new Date(), checks: results.map((one) => ({ ...one, advice: one.advice ?? null })) }, null, 2)}\n`;
