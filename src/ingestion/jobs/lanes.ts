import type { JobLane } from '../../../db/enums.js';

/** The slots of one worker. One for a suspect comes on top. */
export interface JobLimits {
  large: number;
  /** Reserved for small jobs and batches of tiny ones, which may also use the slots for large ones. */
  small: number;
  /** Documents of which an extraction engine reads pages; on top, as they mostly wait for it. */
  extraction: number;
  /** The most jobs, or batches of tiny ones, of one tenant in each lane. */
  perTenant: number;
}

/** The jobs of one tenant in one lane. */
export interface Queue {
  lane: JobLane;
  tenantId: string;
}

/**
 * Whether a lane has a free slot. Suspects run one at a time, so that the one that kills workers is found among several.
 */
export function hasRoom(lane: JobLane, inFlight: Queue[], limits: JobLimits): boolean {
  const count = (...lanes: JobLane[]) => inFlight.filter((job) => lanes.includes(job.lane)).length;
  if (lane === 'suspect') return count(lane) === 0;
  if (lane === 'extraction') return count(lane) < limits.extraction;
  if (lane === 'large' && count(lane) >= limits.large) return false;
  return count('tiny', 'small', 'large') < limits.small + limits.large;
}

/** The queues that have reached the limit of jobs per tenant, each as often as it has jobs. */
export const fullQueues = (inFlight: Queue[], { perTenant }: JobLimits): Queue[] =>
  inFlight.filter((one) => inFlight.filter((other) => isSame(one, other)).length >= perTenant);

const isSame = (a: Queue, b: Queue) => a.lane === b.lane && a.tenantId === b.tenantId;
