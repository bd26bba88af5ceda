/** Per-tenant concurrency limit (FIFO); waiting writes hold no connection. */
export function createTenantConcurrencyLimit(perTenant: number) {
  const tenants = new Map<string, { running: number; waiting: (() => void)[] }>();

  return async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const tenant = tenants.get(tenantId) ?? { running: 0, waiting: [] };
    tenants.set(tenantId, tenant);
    if (tenant.running < perTenant) tenant.running++;
    // The slot is passed to the next waiter.
    else await new Promise<void>((resolve) => tenant.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = tenant.waiting.shift();
      if (next) next();
      else if (--tenant.running === 0) tenants.delete(tenantId);
    }
  };
}

export type TenantConcurrencyLimit = ReturnType<typeof createTenantConcurrencyLimit>;
