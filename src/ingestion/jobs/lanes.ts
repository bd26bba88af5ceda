import type { JobLane } from '../../../db/schema.js';

/** How many jobs one worker has under way at a time. One suspect comes on top. */
export interface JobLimits {
  large: number;
  /** Beside the large ones: nothing large can take this room, and small ones may take all. */
  small: number;
  /** Of one tenant in each lane. */
  perTenant: number;
}

export interface Lane {
  lane: JobLane;
  /** The tenant that was served last. */
  lastTenant: string;
}

/** One tenant's jobs in a lane, as one text; no lane has a space in its name. */
export const queueName = (lane: JobLane, tenantId: string): string => `${lane} ${tenantId}`;

/**
 * Which lanes and tenants a worker has room for, and which of them is next: lanes are served round-robin, and so are the
 * tenants of each lane. Suspects come one after another, so that of several the one that ends processes is found.
 */
export function createLanes(limits: JobLimits) {
  /** By lane, and by queue. */
  const underWay = new Map<string, number>();
  /** The one that was served longest ago comes first. */
  let lanes: Lane[] = [
    { lane: 'suspect', lastTenant: '' },
    { lane: 'small', lastTenant: '' },
    { lane: 'large', lastTenant: '' },
  ];
  const count = (name: string) => underWay.get(name) ?? 0;
  const change = (name: string, by: number) => {
    const now = count(name) + by;
    if (now === 0) underWay.delete(name);
    else underWay.set(name, now);
  };

  function hasRoom(lane: JobLane): boolean {
    if (lane === 'suspect') return count(lane) === 0;
    const all = count('small') + count('large');
    return all < limits.small + limits.large && (lane === 'small' || count(lane) < limits.large);
  }

  return {
    open: () => lanes.filter(({ lane }) => hasRoom(lane)),

    /** The queues whose tenants have no more room. */
    fullQueues: () =>
      [...underWay].flatMap(([name, now]) => (name.includes(' ') && now >= limits.perTenant ? [name] : [])),

    /** Puts a lane behind the others, and a tenant behind those of the lane. */
    serve(lane: JobLane, lastTenant: string): void {
      lanes = [...lanes.filter((other) => other.lane !== lane), { lane, lastTenant }];
    },

    /** Takes room for a job. @returns what gives the room back */
    take(lane: JobLane, tenantId: string): () => void {
      const names = [lane, queueName(lane, tenantId)];
      for (const name of names) change(name, 1);
      return () => {
        for (const name of names) change(name, -1);
      };
    },
  };
}
