import { pino } from 'pino';
import { type App, createApp } from '../../../src/compose/compose.js';
import { type Config, readConfig } from '../../../src/config/config.js';
import { sandboxProgram, sitemapProgram } from '../../support/sandbox-programs.js';
import type { TestApp } from './rest-client.js';

export interface StartedBeside {
  app: App;
  address: string;
  /** What it said in its log, from `info` on. */
  logged: { msg: string; reason?: string }[];
}

/** Starts another process of a service: on the same database and data folder, in the middle of a test. */
export async function startBeside(
  { databaseUrl, dataDir }: Pick<TestApp, 'databaseUrl' | 'dataDir'>,
  config: Partial<Config>,
): Promise<StartedBeside> {
  const logged: StartedBeside['logged'] = [];
  const app = await createApp(
    { ...readConfig({}), port: 0, dataDir, ingestConcurrency: 2, ...config },
    {
      database: { url: databaseUrl, description: 'test', stop: async () => {} },
      sandboxProgram,
      sitemapProgram,
      log: pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) }),
    },
  );
  const { address } = await app.start();
  return { app, address, logged };
}
