import { textOf } from '../common/search-params';

/** Tenant and unit in the address. Without a unit, all of the tenant's. */
export interface ScopeSearch {
  tenant?: string | undefined;
  unit?: string | undefined;
}

const STORED_AS = 'lectern.scope';
/** What `lectern seed` fills. */
const DEMO: ScopeSearch = { tenant: 'demo', unit: 'demo' };

export const readScopeSearch = ({ tenant, unit }: Record<string, unknown>): ScopeSearch => ({
  tenant: textOf(tenant),
  unit: textOf(unit),
});

/** The scope that was last chosen here, or that of the demonstration. */
export function initialScope(): ScopeSearch {
  try {
    const stored = localStorage.getItem(STORED_AS);
    const scope = stored === null ? DEMO : readScopeSearch(JSON.parse(stored));
    return scope.tenant === undefined ? DEMO : scope;
  } catch {
    return DEMO;
  }
}

export function storeScope(scope: ScopeSearch): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(scope));
  } catch {
    // The address still has it.
  }
}
