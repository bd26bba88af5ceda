import type { Permission } from '../auth/permissions.js';

/** Metadata of a procedure. */
export interface Meta {
  /** The key needs any of these permissions. */
  permissions?: Permission[];
  /** Any key will do. */
  isForAnyKey?: boolean;
}
