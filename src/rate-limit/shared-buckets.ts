import { sql } from 'kysely';
import { deleteBefore, type Prune } from '../../db/prune.js';
import type { Database } from '../../db/schema.js';

/** What is asked of a shared bucket. */
export interface BucketRequest {
  bucket: string;
  size: number;
  tokensPerSecond: number;
  /** Tokens of an earlier lease that are given back first. */
  returned: number;
  minTokens: number;
  /** May exceed the level: then the bucket goes into debt. */
  amount: number;
  /** Tokens to lease besides, if there are many. */
  extra: number;
}

export interface BucketAnswer {
  /** Whether all buckets held enough; else nothing was taken from any. */
  granted: boolean;
  /** Level of each bucket, in the order of the requests; negative is debt. */
  levels: number[];
  /** Tokens leased of each. */
  leased: number[];
}

/** Asks the buckets shared by all servers of a database, in one transaction and by the database's clock. */
export async function askSharedBuckets(db: Database, requests: BucketRequest[]): Promise<BucketAnswer> {
  const { rows } = await sql<{ granted: boolean; leftOver: number[]; leased: number[] }>`
    select granted, left_over, leased from lease_tokens(
      ${requests.map(({ bucket }) => bucket)},
      ${requests.map(({ size }) => size)},
      ${requests.map((one) => one.tokensPerSecond)},
      ${requests.map(({ returned }) => returned)},
      ${requests.map(({ minTokens }) => minTokens)},
      ${requests.map(({ amount }) => amount)},
      ${requests.map(({ extra }) => extra)}
    )
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('lease_tokens returned nothing');
  return { granted: row.granted, levels: row.leftOver, leased: row.leased };
}

/** Deletes full buckets: a new one is full, too. */
export async function* deleteFullBuckets(db: Database): Prune {
  const full = { table: 'rate_buckets', column: 'full_time', before: sql`now()` };
  for await (const rows of deleteBefore(db, full)) yield rows.length;
}
