import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from '../../../db/schema.js';

type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S;

/** The tables as PostgreSQL names them. */
export type SnakeCaseSchema = {
  [Table in keyof Schema as SnakeCase<Table>]: {
    [Column in keyof Schema[Table] as SnakeCase<Column & string>]: Schema[Table][Column];
  };
};

export const connect = (url: string): Kysely<SnakeCaseSchema> =>
  new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 20 }) }) });
