import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../../db/embedded.js';
import type { Commands } from './read-blocks.js';

/** Runs SQL on the database of a page's server. @returns the rows as JSON */
export async function runStatement(
  { page, line, text }: Commands,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
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
