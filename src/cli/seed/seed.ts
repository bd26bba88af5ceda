import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { createApp } from '../../compose/compose.js';
import { startDatabase } from '../../compose/start-database.js';
import { readConfig } from '../../config/config.js';
import { runCommand } from '../run-command.js';
import { print } from '../shared/print.js';
import { DEMO, seedConversations, seedDocuments } from './index.js';

const POLL_MS = 200;

export const run = (args: string[]) =>
  runCommand(
    args,
    `Fills the demonstration tenant "${DEMO.tenantId}", unit "${DEMO.tenantUnitId}": conversations in every status
with their messages, and documents of several types, processed. You can run it again: it adds nothing twice.

Usage: lectern seed

It can run beside a server on the same database or data folder.`,
    async () => {
      const config = readConfig();
      const log = pino({ level: 'warn' });
      const database = await startDatabase(config, log);
      // The server's port is not needed, and may be taken by a running server.
      const app = await createApp({ ...config, host: '127.0.0.1', port: 0 }, { database, log });
      const { db, close } = connectDatabase(database.url, { max: 2 });
      try {
        const conversations = await seedConversations(db);
        print(`${conversations} conversations added\n`);
        const documents = await seedDocuments(app.services);
        print(`${documents} documents added\n`);
        await app.start();
        for (let first = true; !(await app.isIdle()); first = false) {
          if (first) print('processing the documents…\n');
          await delay(POLL_MS);
        }
        print(`Done: tenant "${DEMO.tenantId}", unit "${DEMO.tenantUnitId}", dataset "${DEMO.datasetId}"\n`);
      } finally {
        await close();
        await app.close();
      }
    },
  );
