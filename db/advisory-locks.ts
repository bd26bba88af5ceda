import { createHash } from 'node:crypto';

/* Every advisory lock of a database. PostgreSQL knows them by whole numbers of 64 bits. */

/** Locks with a number of their own, all below 2^32. Processes of older versions know them by it: they stay. */
export const FIXED_LOCK_IDS = {
  /** Lets one process at a time migrate a database. */
  migration: 7_203_114,
  /** Lets one session at a time write into the live search index. */
  indexWriter: 7_203_116,
  /** Lets one session at a time build another search index. */
  indexBuilder: 7_203_117,
  /** Lets one transaction at a time roll up usage changes. */
  usageRollup: 7_203_118,
  /** Lets one transaction at a time change the counters of lists. */
  listRollup: 7_203_119,
  /** Lets one process at a time embed texts. */
  embedder: 7_203_120,
  /** Lets one transaction at a time delete what its retention has ended. */
  prune: 7_203_121,
  /** Lets one session at a time make partitions of the audit log. */
  auditPartitions: 7_203_122,
} as const;

/**
 * Kinds of locks that are named by texts, such as the ids of tenants. The number is the uppermost byte of the lock's: no
 * text can make it that of another kind, nor a numbered one.
 */
export const LOCK_NAMESPACES = {
  /** A call that may be sent again: tenant, caller, key. */
  idempotency: 1,
  /** What a tenant has, while it is compared with its quotas: tenant. */
  quota: 2,
  /** The received files of a tenant, while they are counted: tenant. */
  uploads: 3,
  /** The webhooks of a tenant, while they are counted: tenant. */
  webhooks: 4,
  /** The documents of one external id, while it is created or changed: tenant, unit, external id. */
  'external-id': 5,
  /** The URLs of a unit's documents, while more are imported: tenant, unit. */
  urls: 6,
  /** The segments of a tenant's postings, while they are written: tenant. */
  postings: 7,
  /** The judged questions of a unit, while they are counted: tenant, unit. */
  evaluations: 8,
  /** The synonyms of a unit, while they are changed: tenant, unit. */
  synonyms: 9,
  /** The labels of a tenant, while they are counted and named: tenant. */
  labels: 10,
  /** The retention rules of a tenant, while they are counted: tenant. */
  retention: 12,
  /** The erasures of a tenant, of which one step runs at a time: tenant. */
  erasures: 13,
  /** The members of a tenant, while they are counted, and admins among them: tenant. */
  members: 14,
} as const;
export type LockNamespace = keyof typeof LOCK_NAMESPACES;

/**
 * The number of a named lock, as text for PostgreSQL's `bigint`. Seven bytes of it are a cryptographic hash: nobody finds
 * a name that blocks another's.
 */
export function advisoryLockKey(namespace: LockNamespace, name: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(name)).digest().subarray(0, 8);
  bytes[0] = LOCK_NAMESPACES[namespace];
  return bytes.readBigInt64BE().toString();
}
