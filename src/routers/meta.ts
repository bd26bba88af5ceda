import type { Permission } from '../auth/permissions.js';

/** What is known of a procedure beside its input and output. */
export interface Meta {
  /** Any of these is what a key needs. */
  permissions?: Permission[];
}
