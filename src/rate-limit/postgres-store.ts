import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { type BucketStore, tokensPerSecond } from './token-bucket.js';

/** Buckets shared by all servers of a database. Uses the database's clock. */
export function createPostgresBucketStore(db: Database): BucketStore {
  return {
    async take(takes) {
      const { rows } = await sql<{ granted: boolean; leftOver: number[] }>`
        select granted, left_over from take_tokens(
          ${takes.map(({ bucket }) => bucket)},
          ${takes.map(({ limit }) => limit.amount)},
          ${takes.map(({ limit }) => tokensPerSecond(limit))},
          ${takes.map(({ minTokens }) => minTokens)},
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
