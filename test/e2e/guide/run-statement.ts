import path from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../../db/embedded.js';
import type { Block } from './read-blocks.js';

/**
 * Runs SQL on the database of a page's server. Values that a reader fills in, in capitals, are the variables of the page's
 * shell that have their names.
 */
export async function runStatement(
  { page, line, text }: Block,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const statement = text.replace(/'([A-Z][A-Z_]+)'/g, (quoted, name) =>
    env[name] ? `'${env[name]}'` : quoted,
  );
  const dataDir = path.resolve(folder, env.DATA_DIR ?? 'data');
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded({ dataDir });
  const client = new pg.Client(env.DATABASE_URL ?? embedded?.url);
  try {
    await client.connect();
    const { rows } = await client.query(statement);
    return JSON.stringify(rows);
  } catch (error) {
    throw new Error(`${page}:${line}: ${(error as Error).message}\n${statement}`);
  } finally {
    await client.end();
    await embedded?.stop();
  }
}
