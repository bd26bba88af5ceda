import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../../db/embedded.js';
import type { Block } from './read-blocks.js';

/** Runs SQL on the database of a page's server. */
export async function runStatement(
  { page, line, text }: Block,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const dataDir = path.resolve(folder, env.DATA_DIR ?? 'data');
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded({ dataDir });
  const client = new pg.Client(env.DATABASE_URL ?? embedded?.url);
  try {
    await client.connect();
    const { rows } = await client.query(text);
    return JSON.stringify(rows);
  } catch (error) {
    throw new Error(`${page}:${line}: ${(error as Error).message}\n${text}`);
  } finally {
    await client.end();
    await embedded?.stop();
  }
}
