export const IDLE_MS = 24 * 3_600_000;

/** How long a session lasts at most, however much it is used. */
export const MAX_SESSION_MS = 14 * 24 * 3_600_000;

/** When a session ends at the latest. */
export const sessionEnd = (createdTime: Date): Date => new Date(createdTime.getTime() + MAX_SESSION_MS);

/** When a session ends that is used now: a day later, and two weeks after its creation at the latest. */
export const sessionExpiry = (createdTime: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + IDLE_MS, sessionEnd(createdTime).getTime()));
