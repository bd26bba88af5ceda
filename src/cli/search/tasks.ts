import {
  type IndexTask,
  MAX_LISTED_TASKS,
  type TaskStatus,
  taskStatuses,
} from '../../search/operations/search-operations.js';
import { UsageError } from '../run-command.js';
import {
  countOf,
  formatAge,
  formatCount,
  formatFields,
  formatSpan,
  formatTable,
  JSON_OPTION,
} from '../shared/format.js';
import { runSearchServerCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchServerCommand(
    args,
    `Lists the search server's tasks for our indexes, newest first.

Usage: lectern search tasks [--status failed,canceled] [--limit 20] [--json]

Shows tasks that swap indexes only with MEILI_ADMIN_KEY.

${formatFields([
  ['--status', `only tasks that are ${taskStatuses.join(', ')}; separated by commas`],
  ['--limit', `maximum number of tasks, up to ${MAX_LISTED_TASKS}; default 20`],
  JSON_OPTION,
])}
Exits with 0, even if tasks failed.`,
    { options: { status: { type: 'string' }, limit: { type: 'string' } } },
    ({ values }) => {
      const filter = { statuses: readStatuses(values.status), limit: readLimit(values.limit ?? '20') };
      return async ({ operations, print }) => {
        const tasks = await operations.tasks(filter);
        print(tasks, tasks.length > 0 ? describe(tasks, new Date()) : 'No tasks found.\n');
        return 0;
      };
    },
  );

function readStatuses(list: string | undefined): TaskStatus[] | undefined {
  return list?.split(',').map((one) => {
    const status = taskStatuses.find((known) => known === one.trim());
    if (!status) throw new UsageError(`"${one}" is not a status. Use one of: ${taskStatuses.join(', ')}.`);
    return status;
  });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED_TASKS) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LISTED_TASKS}.`);
}

function describe(tasks: IndexTask[], now: Date): string {
  const table = formatTable(
    ['task', 'status', 'type', 'index', 'documents', 'changes', 'enqueued', 'took'],
    tasks.map((task) => [
      String(task.uid),
      task.status,
      task.type,
      task.indexes.join(', '),
      task.documents === null ? '' : formatCount(task.documents),
      task.changes === 0 ? '' : formatCount(task.changes),
      `${formatAge(task.enqueuedTime, now)} ago`,
      task.durationMs === null ? '' : formatSpan(task.durationMs),
    ]),
  );
  const errors = tasks.flatMap(({ uid, error }) =>
    error ? [`${uid}: ${error.message} (${error.code})\n`] : [],
  );
  const carried = tasks.reduce((sum, { changes }) => sum + changes, 0);
  return [
    table,
    carried > 0 ? `\nUntil they are done, ${countOf(carried, 'change')} of the outbox wait for them.\n` : '',
    errors.length > 0 ? `\n${errors.join('')}` : '',
  ].join('');
}
