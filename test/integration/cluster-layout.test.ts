import pg from 'pg';
import { expect, test } from 'vitest';
import { type CatalogTable, TABLES_QUERY } from '../../db/catalog.js';
import { layout } from '../../db/cluster/layout.js';
import { RESTORE_MARKER } from '../../db/restore-marker.js';
import { createTestDatabase } from '../support/postgres.js';

test('every table has its place on a cluster, and every place its table', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<CatalogTable>(TABLES_QUERY);
  await client.end();
  await database.drop();
  // It is there only while a restore runs.
  expect(
    rows
      .map(({ name }) => name)
      .concat(RESTORE_MARKER)
      .sort(),
  ).toEqual(Object.keys(layout).sort());
});
