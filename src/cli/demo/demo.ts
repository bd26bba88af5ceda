import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../../db/client.js';
import { permissions } from '../../auth/permissions.js';
import { type App, createApp, createServerLog } from '../../compose/compose.js';
import { startDatabase } from '../../compose/start-database.js';
import { readConfig } from '../../config/config.js';
import { conflict } from '../../errors/errors.js';
import { runCommand, UsageError } from '../run-command.js';
import { DEMO, seedConversations, seedDocuments } from '../seed/index.js';
import { formatFields, formatSpan } from '../shared/format.js';
import { print } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { makeDemoDataDir, removeLeftovers } from './data-dir.js';
import { addDocuments } from './documents.js';
import { findFreePort } from './find-free-port.js';
import { addSecondTenant } from './second-tenant.js';
import { type SignInProvider, startSignInProvider } from './sign-in-provider.js';
import { startWebPage } from './web-page.js';

const POLL_MS = 100;
/** Of the console with `--oidc`; the provider has the next one. */
const SIGN_IN_PORT = 8_080;
const STOP_DEADLINE_MS = 30_000;
const DAY_MS = 24 * 3_600_000;
const DAYS_AGO = 11 * DAY_MS;
const KEY_LIFETIME_MS = 90 * DAY_MS;

const SCANS =
  'Scans cannot be read here. Install Tesseract to see that, on Debian: apt-get install tesseract-ocr tesseract-ocr-chi-sim\n\n';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Shows Lectern with documents and conversations in English and Chinese, some of them failed, in a temporary folder.
Prints a link to the console. Ctrl-C stops it and removes everything.

Usage: lectern demo [--port PORT] [--oidc]

  --port PORT  port of the console. Default: any free port, with --oidc 8080
  --oidc       people sign in at an OpenID Connect provider, which runs at the port after that of the console. Only in a
               checkout

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
        const options = {
          port: readPort(values.port),
          isSignIn: values.oidc === true,
          signal: ending.signal,
        };
        await withServer(options, async ({ app, address, provider, key }) => {
          const page = app.hasConsole
            ? `/overview?tenant=${DEMO.tenantId}&unit=${DEMO.tenantUnitId}`
            : '/docs';
          print(describe(address + page, performance.now() - began));
          if (provider && key !== undefined) print(describeUsers(provider, key));
          if (!app.engines.extraction) print(SCANS);
          print('Ctrl-C ends the demonstration and removes everything.\n');
          await new Promise((resolve) => ending.signal.addEventListener('abort', resolve));
        });
      } catch (error) {
        if (!ending.signal.aborted) throw error;
      }
      print('Everything is removed.\n');
      process.exit(0);
    },
    { options: { port: { type: 'string' }, oidc: { type: 'boolean' } } },
  );

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--port takes a number up to 65535, not "${text}".`);
}

interface Demonstration {
  app: App;
  address: string;
  /** With `--oidc` alone, as the key of all that the tenant has. */
  provider: SignInProvider | undefined;
  key: string | undefined;
}

interface DemoOptions {
  port: number | undefined;
  isSignIn: boolean;
  signal: AbortSignal;
}

/** Starts a server with data of its own, and removes all of that when the work is done, or fails. */
async function withServer(
  { port: wanted, isSignIn, signal }: DemoOptions,
  work: (demonstration: Demonstration) => Promise<void>,
): Promise<void> {
  await removeLeftovers();
  // The provider has to know where the server will be.
  const port = isSignIn ? wanted || (wanted === 0 ? await findFreePort() : SIGN_IN_PORT) : (wanted ?? 0);
  const provider = isSignIn
    ? await startSignInProvider(`http://127.0.0.1:${port}`, wanted === 0 ? 0 : port + 1)
    : undefined;
  const folder = await makeDemoDataDir();
  const page = await startWebPage();
  try {
    const { host } = new URL(page.url);
    const config = readConfig({
      DATA_DIR: folder.dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      FETCH_ALLOW_HOSTS: `${host},127.0.0.1`,
      LOG_LEVEL: 'error',
      ...provider?.env,
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
        const key = provider && (await addUsersData(app));
        await work({ app, address, provider, key });
      } finally {
        await app.close();
      }
    } finally {
      await database.stop();
    }
  } finally {
    page.close();
    await provider?.stop();
    await folder.remove();
  }
}

const explainTakenPort = (port: number) => (error: Error) => {
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

Press "Process again" at "december.html" of the documents: its page is there by now. Ask in the search lab how often the
coffee machine is descaled, or 滤网多久更换一次. Then read the conversations.

`;

/** @returns a key for everything of the tenant, as the server asks for one */
async function addUsersData({ services }: App): Promise<string> {
  await addSecondTenant(services);
  const scope = { tenantId: DEMO.tenantId };
  const wish = { scope, name: 'Demonstration', scopes: [...permissions], expiresIn: KEY_LIFETIME_MS };
  return (await services.apiKeys.create(wish, { userId: 'demo' })).key;
}

const describeUsers = (
  { url, users }: SignInProvider,
  key: string,
): string => `The provider at ${url} signs in, without a password:

${formatFields(users.map(({ name, about }) => [name, about]))}
Programs can use this key for everything in the tenant ${DEMO.tenantId}: ${key}

`;
