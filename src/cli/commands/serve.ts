import { createApp, createServerLog } from '../../compose.js';
import { readConfig } from '../../config.js';
import { formatFields } from '../format.js';
import { describeAccess } from '../keys/describe-access.js';
import { runCommand } from '../run-command.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Serves Lectern: the REST API, tRPC and the API reference.

Usage: lectern serve [--role ROLE]

  --role ROLE  api: answers requests; worker: processes documents, sends webhooks, keeps the search index and sweeps,
               and answers /healthz, /readyz and /metrics alone; all: both. Default: ROLE in the environment, else all. Processes
               of the roles api and worker share the database of DATABASE_URL.

All configuration is in environment variables; .env.example lists them.`,
    async ({ values }) => {
      const config = readConfig(undefined, { ROLE: values.role });
      const log = createServerLog(config);
      // Node.js would print all that an error holds, rows of the database too.
      process.on('uncaughtException', (error) => {
        log.fatal({ err: error }, 'the server ends because of an unexpected error');
        process.exit(1);
      });
      const app = await createApp(config, { log });
      const stop = async () => {
        // What does not answer must not keep the process: nothing is lost that is not done.
        setTimeout(() => process.exit(1), config.shutdown.timeoutMs).unref();
        await app.close();
        process.exit(0);
      };
      process.once('SIGTERM', stop);
      process.once('SIGINT', stop);

      const { address } = await app.start();
      const isWorker = config.role === 'worker';
      process.stdout.write(`
Lectern is ready

${formatFields([
  ['address', address],
  ...(isWorker ? [] : describePages(address, app.hasConsole)),
  ...(app.metricsAddress ? [['metrics', `${app.metricsAddress}/metrics`] as [string, string]] : []),
  ['role', config.role],
  ['data', config.dataDir],
  ['database', app.engines.database],
  ['search', app.engines.search],
  ...(isWorker ? [] : [['access', await describeAccess(config, app.services.apiKeys)] as [string, string]]),
])}
Stop it with Ctrl-C.
`);
    },
    { options: { role: { type: 'string' } } },
  );

/** What a person opens in a browser. */
const describePages = (address: string, hasConsole: boolean): [name: string, value: string][] => [
  ['console', hasConsole ? `${address}/` : 'not built: npm run build'],
  ['reference', `${address}/docs`],
];
