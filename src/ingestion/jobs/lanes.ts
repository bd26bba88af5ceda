import type { JobLane } from '../../../db/schema.js';

/** How many jobs one worker has under way at a time. One suspect comes on top. */
export interface JobLimits {
  large: number;
  /** Beside the large ones: nothing large can take this room, and small ones may take all. */
  small: number;
  /** Of one tenant in each lane. */
  perTenant: number;
}

/** Where a job waits: in the lane, behind its tenant's other jobs. */
export interface Queue {
  lane: JobLane;
  tenantId: string;
}

/** No lane has a space in its name. */
export const queueName = ({ lane, tenantId }: Queue): string => `${lane} ${tenantId}`;

/**
 * Whether a worker takes another job of a lane. Suspects come one after another, so that of several the one that ends
 * processes is found.
 */
export function hasRoom(lane: JobLane, underWay: Queue[], limits: JobLimits): boolean {
  const count = (...lanes: JobLane[]) => underWay.filter((job) => lanes.includes(job.lane)).length;
  if (lane === 'suspect') return count(lane) === 0;
  if (lane === 'large' && count(lane) >= limits.large) return false;
  return count('small', 'large') < limits.small + limits.large;
}

/** The names of the queues of which a worker has as many jobs as it may. */
export function fullQueues(underWay: Queue[], { perTenant }: JobLimits): string[] {
  const names = underWay.map(queueName);
  const isFull = (name: string) => names.filter((other) => other === name).length >= perTenant;
  return [...new Set(names)].filter(isFull);
}
