import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type BucketStore, rateOf } from './token-bucket.js';

/** Limits that all servers of a database share. Time is the database's. */
export function createPostgresStore(db: Database): BucketStore {
  return {
    async take(takes) {
      const { rows } = await sql<{ granted: boolean; leftOver: number[] }>`
        select granted, left_over from take_tokens(
          ${takes.map(({ bucket }) => bucket)},
          ${takes.map(({ limit }) => limit.amount)},
          ${takes.map(({ limit }) => rateOf(limit))},
          ${takes.map(({ needs }) => needs)},
          ${takes.map(({ amount }) => amount)}
        )
      `.execute(db);
      const [row] = rows;
      if (!row) throw new Error('take_tokens answered nothing');
      return { granted: row.granted, tokens: row.leftOver };
    },

    async sweep() {
      await db.deleteFrom('rateBuckets').where('fullTime', '<', sql<Date>`now()`).execute();
    },
  };
}
