import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpBatchLink, httpLink, isNonJsonSerializable, splitLink } from '@trpc/client';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { permissions } from '../../src/auth/permissions.js';
import { type App, type AppOverrides, createApp } from '../../src/compose/compose.js';
import { type Config, readConfig } from '../../src/config/config.js';
import type { AppRouter } from '../../src/routers/index.js';
import type { IssuedApiKey, NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { connectUnscoped } from './connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { sandboxProgram, sitemapProgram, sourceTextProgram } from './sandbox-programs.js';
import { waitFor } from './wait-for.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined where the body is empty. */
  body: any;
}

export interface RequestOptions {
  query?: Record<string, string | number | (string | number)[] | undefined>;
  /** Sent as JSON, unless it is a FormData. */
  body?: unknown;
  headers?: Record<string, string>;
}

interface AppOptions extends Pick<AppOverrides, 'clock' | 'log' | 'webDir' | 'docsDir' | 'sandboxProgram'> {
  /** An app that was made before: this one is a further process on the same database. */
  beside?: { databaseUrl: string };
}

/**
 * The whole service on a database of its own, listening on a free port of the loopback address, for the tests of
 * one file. Its fields are there from the first test on.
 */
export function useApp(config: Partial<Config> = {}, { beside, ...overrides }: AppOptions = {}) {
  let database: TestDatabase;
  let client: DatabaseClient;
  let app: App;
  let address: string;
  let dataDir: string;

  beforeAll(async () => {
    database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await createTestDatabase();
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
    client = connectUnscoped(database.url, { max: 2 });
    app = await createApp(
      { ...readConfig({ EXTRACTION_API: 'none' }), port: 0, dataDir, ingestConcurrency: 1, ...config },
      {
        database: { url: database.url, description: 'test', stop: async () => {} },
        sandboxProgram,
        sitemapProgram,
        sourceTextProgram,
        log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
        ...overrides,
      },
    );
    ({ address } = await app.start());
  });

  afterAll(async () => {
    await app?.close();
    await client?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function request(method: string, route: string, options: RequestOptions = {}): Promise<Answer> {
    const url = new URL(route, address);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
    }
    const isForm = options.body instanceof FormData;
    const response = await fetch(url, {
      method,
      headers: {
        ...(options.body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && {
        body: isForm ? (options.body as FormData) : JSON.stringify(options.body),
      }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  return {
    get databaseUrl() {
      return database.url;
    },
    get address() {
      return address;
    },
    get db() {
      return client.db;
    },
    get app() {
      return app;
    },
    get dataDir() {
      return dataDir;
    },
    request,
    get: (route: string, query?: RequestOptions['query']) => request('GET', route, query ? { query } : {}),
    /** The typed client, as a front end makes it. */
    trpc: (headers: Record<string, string> = {}) => {
      const url = `${address}/trpc`;
      return createTRPCClient<AppRouter>({
        links: [
          splitLink({
            condition: (op) => isNonJsonSerializable(op.input),
            true: httpLink({ url, headers }),
            false: httpBatchLink({ url, headers }),
          }),
        ],
      });
    },
    /** A new API key, for everything in the tenant acme unless `fields` say less. */
    makeKey: (fields: Partial<NewApiKey> = {}): Promise<IssuedApiKey> =>
      app.services.apiKeys.create(
        { scope: { tenantId: 'acme' }, scopes: [...permissions], name: 'test', ...fields },
        { userId: undefined },
      ),
    /** Drops its database under it. */
    destroy: () => database.drop(),
    /** Waits until no document is left to be processed. */
    async settle() {
      await waitFor(() => app.isIdle(), { what: 'all documents to be processed' });
    },
  };
}
