import { AsyncLocalStorage } from 'node:async_hooks';

const tenants = new AsyncLocalStorage<string>();

/** Does `work`, also asynchronously, for this tenant; the empty string stands for all tenants. */
export const withTenant = <T>(tenantId: string, work: () => T): T => tenants.run(tenantId, work);

/** The tenant that the procedure at hand works for. */
export const currentTenant = (): string | undefined => tenants.getStore();
