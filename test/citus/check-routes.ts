import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findUnscopedTable } from '../../db/tenant-isolation/query-guard/find-unscoped.js';
import { tenantTables } from '../../db/tenant-isolation/tenant-tables.js';
import { copyTemplate } from '../support/postgres.js';
import { multiShardStatements } from './multi-shard-statements.js';
import type { Recorded } from './record-statements.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file in which statements are recorded. */
    statements: string;
  }
}

/**
 * After the tests, asks the cluster how it plans each statement that they have executed: one of a tenant has to run on one
 * shard. Those across tenants are marked in the code, see docs/unscoped-statements.md.
 */
export default function checkRoutes(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-statements-'));
  const file = path.join(folder, 'statements.jsonl');
  writeFileSync(file, '');
  project.provide('statements', file);
  return async () => {
    const statements = new Map<string, Recorded>();
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const statement = JSON.parse(line) as Recorded;
      if (isOfTenant(statement)) statements.set(statement.text, statement);
    }
    rmSync(folder, { recursive: true });
    const { postgresUrl, postgresTemplate } = project.getProvidedContext();
    const database = await copyTemplate(postgresUrl, postgresTemplate);
    const astray = await findAstray(database.url, [...statements.values()]).finally(database.drop);
    process.stdout.write(
      `${statements.size} statements of tenants; ${astray.length} do not run on one shard.\n`,
    );
    if (astray.length > 0) throw new Error(astray.join('\n\n'));
  };
}

function isOfTenant({ text }: Recorded): boolean {
  if (![...tenantTables].some((table) => text.includes(table))) return false;
  try {
    return findUnscopedTable(text) === undefined;
  } catch {
    return false;
  }
}

async function findAstray(url: string, statements: Recorded[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const coordinator = await readCoordinator(client);
    const astray: string[] = [];
    for (const { text, values } of statements) {
      if (multiShardStatements.some(({ pattern }) => pattern.test(text))) continue;
      const plan = await explain(client, { text, values }, coordinator).catch(
        (error: Error) => error.message,
      );
      if (plan !== 'routed') astray.push(`${plan}: ${text.replace(/\s+/g, ' ').trim()}`);
    }
    return astray;
  } finally {
    await client.end();
  }
}

/** As it is named in plans. */
async function readCoordinator(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select format('host=%s port=%s ', nodename, nodeport) as node from pg_dist_node where groupid = 0`,
  );
  return rows[0].node;
}

/**
 * @returns "routed" where it runs on one shard or needs none, also where the coordinator has all that it needs and takes
 * several steps, which cost no message; otherwise what it does
 */
async function explain(client: pg.Client, { text, values }: Recorded, coordinator: string): Promise<string> {
  await client.query('deallocate all');
  await client.query(`prepare statement as ${text}`);
  const { rows } = await client.query(
    `explain (format json) execute statement${values.length > 0 ? `(${values.join(', ')})` : ''}`,
  );
  const plan = JSON.stringify(rows[0]['QUERY PLAN']);
  const find = (pattern: RegExp) => [...plan.matchAll(pattern)].map(([, found = '']) => found);
  if (find(/"Node":"([^"]*)"/g).every((node) => node.startsWith(coordinator))) return 'routed';
  if (plan.includes('"Subplans"')) return 'several steps';
  const tasks = find(/"Task Count":(\d+)/g).reduce((sum, count) => sum + Number(count), 0);
  return tasks > 1 ? `${tasks} shards` : 'routed';
}
