/**
 * How many documents of each tenant are being worked on here, so that no tenant takes all the room: many slow web
 * pages of one would keep everybody waiting.
 */
export function createTurns(perTenant: number) {
  const running = new Map<string, number>();
  const isFull = (tenantId: string) => (running.get(tenantId) ?? 0) >= perTenant;

  return {
    /** The tenants that have all they may have. */
    full: (): string[] => [...running.keys()].filter(isFull),

    /** Does the work, unless the tenant has all it may have. @returns whether it was done */
    async take(tenantId: string, work: () => Promise<void>): Promise<boolean> {
      if (isFull(tenantId)) return false;
      running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
      try {
        await work();
        return true;
      } finally {
        const left = (running.get(tenantId) ?? 1) - 1;
        if (left > 0) running.set(tenantId, left);
        else running.delete(tenantId);
      }
    },
  };
}
