import type { Logger } from 'pino';
import { createApp, createServerLog } from '../compose/compose.js';
import { readConfig } from '../config/config.js';
import { readOpenFiles } from '../config/open-files.js';
import { describeAccess } from './keys/describe-access.js';
import { runCommand } from './run-command.js';
import { formatFields } from './shared/format.js';
import { print } from './shared/print.js';
import { onStopSignal } from './shared/stop-signal.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Serves Lectern: the REST API, tRPC and the API reference.

Usage: lectern serve [--role ROLE]

  --role ROLE  api: answers requests; worker: processes documents, sends webhooks, updates the search index,
               deletes expired data, and answers only /healthz, /readyz and /metrics; all: both. Default: ROLE in the
               environment, or all. Processes of the roles api and worker share the database of DATABASE_URL.

All configuration is in environment variables; .env.example lists them.`,
    async ({ values }) => {
      const config = readConfig(undefined, { ROLE: values.role });
      const log = createServerLog(config);
      // Node.js would print all that an error holds, rows of the database too.
      process.on('uncaughtException', (error) => {
        log.fatal({ err: error }, 'the server ends because of an unexpected error');
        process.exit(1);
      });
      const files = readOpenFiles(config);
      if (files && files.limit < files.needed) {
        log.warn(
          files,
          'fewer files can be open than connections need: raise ulimit -n, or lower MAX_CONNECTIONS',
        );
      }
      const app = await createApp(config, { log });
      const stop = async (signal: NodeJS.Signals) => {
        log.info({ signal }, 'the server stops');
        // What does not answer must not keep the process: nothing is lost that is not done.
        setTimeout(() => {
          log.warn('the server ends, though not everything under way has ended');
          process.exit(1);
        }, config.shutdown.timeoutMs).unref();
        await app.close();
        log.info('the server has stopped');
        process.exit(0);
      };
      onStopSignal(stop);

      const isWorker = config.role === 'worker';
      // Before it serves: nothing that fails later may end it.
      const access = isWorker ? undefined : await describeAccess(config, app.services.apiKeys);
      const { address } = await app.start();
      announce(log, [
        ['address', address],
        ...(isWorker ? [] : describePages(address, app.hasConsole)),
        ...(app.metricsAddress ? [['metrics', `${app.metricsAddress}/metrics`] as [string, string]] : []),
        ['role', config.role],
        ['data', config.dataDir],
        ...(config.storageUrl ? [['files', app.storage] as [string, string]] : []),
        ['database', app.engines.database],
        ['search', app.engines.search],
        ...(access === undefined ? [] : [['access', access] as [string, string]]),
      ]);
    },
    { options: { role: { type: 'string' } } },
  );

/** For people on a terminal; elsewhere a line of the log, whatever its level, as that is how others learn the address. */
function announce(log: Logger, fields: [name: string, value: string][]): void {
  if (process.stdout.isTTY) print(`\nLectern is ready\n\n${formatFields(fields)}\nStop it with Ctrl-C.\n`);
  else log.child({}, { level: 'info' }).info(Object.fromEntries(fields), 'Lectern is ready');
}

/** What a person opens in a browser. */
const describePages = (address: string, hasConsole: boolean): [name: string, value: string][] => [
  ['console', hasConsole ? `${address}/` : 'not built: npm run build'],
  ['reference', `${address}/docs`],
];
