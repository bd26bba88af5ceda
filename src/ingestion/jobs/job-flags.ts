/*
 * The flags of jobs, by which a worker passes over them. Those of a new job are given by `enqueue_documents` in
 * `db/migrations/0010-job-lanes.ts`, which knows the sizes.
 */

/** Marks the jobs of a tenant; small and large ones are counted apart. */
export const tenantFlag = (tenantId: string): string => `tenant:${tenantId}`;
/** Its source is a large file, or nobody knows its size before it has come. */
export const LARGE = 'large';
/** A worker died while it had this job under way. */
export const SUSPECT = 'suspect';

/** How many jobs of each kind one process works on at a time. */
export interface JobLimits {
  large: number;
  /** Beside the large ones: nothing large can take this room. */
  small: number;
  /** Of one tenant's, and as many large ones beside as small ones. */
  perTenant: number;
}

/** Suspects come one after another, so that of several the one that ends processes is found. */
export const limitOf =
  ({ large, perTenant }: JobLimits) =>
  (flag: string): number => {
    if (flag === SUSPECT) return 1;
    return flag === LARGE ? large : perTenant;
  };
