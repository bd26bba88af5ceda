import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../../db/client.js';
import { type App, createApp, createServerLog } from '../../compose/compose.js';
import { startDatabase } from '../../compose/start-database.js';
import { readConfig } from '../../config/config.js';
import { conflict } from '../../errors/errors.js';
import { runCommand, UsageError } from '../run-command.js';
import { DEMO, seedConversations, seedDocuments } from '../seed/index.js';
import { formatSpan } from '../shared/format.js';
import { print } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { makeDemoDataDir, removeLeftovers } from './data-dir.js';
import { addDocuments } from './documents.js';
import { startWebPage } from './web-page.js';

const POLL_MS = 100;
const STOP_DEADLINE_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
const DAYS_AGO = 11 * DAY_MS;
const KEY_LIFETIME_MS = 90 * DAY_MS;

export const run = (args: string[]) =>
  runCommand(
    args,
    `Shows Lectern with documents and conversations in English and Chinese, some of them failed, in a temporary folder.
Prints a link to the console. Ctrl-C stops it and removes everything.

Usage: lectern demo [--port PORT]

  --port PORT  port of the console. Default: any free port

It is ready in about ten seconds, needs no network, and ignores environment variables.`,
    async ({ values }) => {
      const began = performance.now();
      const ending = new AbortController();
      const end = () => {
        setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
        ending.abort();
      };
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
      try {
        await withServer(readPort(values.port), ending.signal, async (app, address) => {
          const page = app.hasConsole
            ? `/overview?tenant=${DEMO.tenantId}&unit=${DEMO.tenantUnitId}`
            : '/docs';
          print(describe(address + page, performance.now() - began));
          await new Promise((resolve) => ending.signal.addEventListener('abort', resolve));
        });
      } catch (error) {
        if (!ending.signal.aborted) throw error;
      }
      print('Everything is removed.\n');
      process.exit(0);
    },
    { options: { port: { type: 'string' } } },
  );

function readPort(text = '0'): string {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return text;
  throw new UsageError(`--port takes a number up to 65535, not "${text}".`);
}

/** Starts a server with data of its own, and removes all of that when the work is done, or fails. */
async function withServer(
  port: string,
  signal: AbortSignal,
  work: (app: App, address: string) => Promise<void>,
): Promise<void> {
  await removeLeftovers();
  const folder = await makeDemoDataDir();
  const page = await startWebPage();
  try {
    const { host } = new URL(page.url);
    const config = readConfig({
      DATA_DIR: folder.dataDir,
      HOST: '127.0.0.1',
      PORT: port,
      FETCH_ALLOW_HOSTS: `${host},127.0.0.1`,
      LOG_LEVEL: 'error',
    });
    const log = createServerLog(config);
    signal.throwIfAborted();
    print('Starting PostgreSQL and the server…\n');
    const database = await startDatabase(config, log);
    try {
      const app = await createApp(config, { database, log });
      try {
        const { address } = await app.start().catch(explainTakenPort(port));
        await fill(app, { databaseUrl: database.url, pageUrl: page.url, signal });
        page.publish();
        await work(app, address);
      } finally {
        await app.close();
      }
    } finally {
      await database.stop();
    }
  } finally {
    page.close();
    await folder.remove();
  }
}

const explainTakenPort = (port: string) => (error: Error) => {
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') throw error;
  throw conflict(`Port ${port} is taken by another program; choose another one with --port.`, []);
};

interface Filling {
  databaseUrl: string;
  pageUrl: string;
  signal: AbortSignal;
}

/** Adds conversations, API keys and documents, and waits until those are processed. */
async function fill(app: App, { databaseUrl, pageUrl, signal }: Filling): Promise<void> {
  signal.throwIfAborted();
  const { db, close } = connectDatabase(databaseUrl, { max: 1 });
  try {
    const count = await seedConversations(db, new Date(Date.now() - DAYS_AGO));
    print(`${count} conversations\n`);
  } finally {
    await close();
  }
  const { services } = app;
  const scope = { tenantId: DEMO.tenantId };
  const keys = [
    { name: 'Website chat', scopes: ['search'] },
    { name: 'Nightly import', scopes: ['documents:write'] },
  ] as const;
  for (const { name, scopes } of keys) {
    await services.apiKeys.create(
      { scope, name, scopes: [...scopes], expiresIn: KEY_LIFETIME_MS },
      { userId: 'demo' },
    );
  }
  const total = (await seedDocuments(services)) + (await addDocuments(services, { pageUrl, signal }));
  const progress = createProgress({ out: process.stdout });
  for (let left = total; left > 0; ) {
    await delay(POLL_MS, undefined, { signal });
    const pending = { scope, statuses: ['created', 'processing'], page: 1, pageSize: 1 };
    left = (await services.documents.list(pending)).totalCount;
    progress.update({ label: 'documents', done: total - left, total, unit: 'document' });
  }
  progress.end();
}

const describe = (link: string, ms: number): string => `
Lectern is ready, with a demonstration in English and Chinese (after ${formatSpan(ms)}):

  ${link}

Press Retry at "december.html" of the documents: its page is there by now. Ask in the search lab how often the
coffee machine is descaled, or 滤网多久更换一次. Then read the conversations.

Ctrl-C ends the demonstration and removes everything.
`;
