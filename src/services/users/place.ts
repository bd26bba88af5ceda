import type { RawBuilder, SqlBool } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { Erased } from './erasures.schema.js';

/** Rows of a place, between two keys, that are looked at in one step. */
export interface Rows {
  tx: Queryable;
  tenantId: string;
  userId: string;
  pseudonym: string;
  /** Condition on the table, whose alias is `t`: the tenant, and the keys. */
  isOne: RawBuilder<SqlBool>;
}

export interface StepResult {
  erased: Partial<Erased>;
  /** Kept because of a legal hold. */
  held?: number;
}

/** A table with something of users. An erasure goes through all of them, in the order of their keys. */
export interface Place {
  name: string;
  table: string;
  key: readonly string[];
  /** Most rows of a step. */
  rows: number;
  /** What may be the id of a user, in rows of the alias `t`: where a restored erasure finds its user by the hash. */
  users: readonly RawBuilder<unknown>[];
  erase(rows: Rows): Promise<StepResult>;
}
