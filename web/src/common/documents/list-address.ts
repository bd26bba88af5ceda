import { type Scope, useScope } from '../../api/scope';

const STORED_AS = 'lectern.documents-list';

/** Keeps the filters, order, columns and position of the list for the way back to it in this tab. */
export function storeListAddress(scope: Scope, search: object): void {
  try {
    sessionStorage.setItem(
      STORED_AS,
      JSON.stringify({ of: toKey(scope), search: { ...search, add: undefined } }),
    );
  } catch {
    // The way back leads to the whole list.
  }
}

/** The address of the list as it was, if it was of the scope that is shown. The list reads what fits. */
export function useListAddress(): Record<string, never> {
  const scope = useScope();
  try {
    const { of, search } = Object(JSON.parse(sessionStorage.getItem(STORED_AS) ?? '{}'));
    return of === toKey(scope) ? Object(search) : {};
  } catch {
    return {};
  }
}

const toKey = ({ tenantId, tenantUnitId }: Scope) => JSON.stringify([tenantId, tenantUnitId]);
