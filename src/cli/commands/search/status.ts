import { formatFields, JSON_OPTION } from '../../format.js';
import { describeStatus } from '../../search/describe-status.js';
import { runSearchCommand } from '../../search/run-search-command.js';

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Shows the state of the search: the engine, its index, and what has not reached it yet.

Usage: lectern search status [--json]

The server's version is shown with MEILI_ADMIN_KEY only.

${formatFields([JSON_OPTION])}
Ends with 0 where the engine answers searches, and with 1 where the search server does not, even if PostgreSQL answers in
its place.`,
    {},
    () =>
      async ({ operations, print }) => {
        const status = await operations.status();
        print(status, describeStatus(status, new Date()));
        return status.served ? 0 : 1;
      },
  );
