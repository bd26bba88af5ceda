import { createStore } from '../../ui/store';

/** Filters, order and columns with a name, which this browser keeps for a tenant. */
export interface View {
  name: string;
  search: ViewSearch;
}

/** The part of the address that a view has. */
type ViewSearch = Record<string, string | undefined>;

/** A list that has views. */
export interface ViewedList {
  name: 'conversations' | 'documents' | 'datasets' | 'audit';
  /** Reads the part of an address that a view has: all of its parameters, also those that are absent. */
  read: (search: Record<string, unknown>) => ViewSearch;
}

export const MAX_VIEWS = 20;
export const MAX_NAME = 60;

const keyOf = ({ name }: ViewedList, tenantId: string) =>
  name === 'conversations' ? `lectern.views.${tenantId}` : `lectern.${name}-views.${tenantId}`;
/** What was read, or could not be stored, by key. */
const known = createStore(new Map<string, readonly View[]>());

export const isSameView = (one: ViewSearch, other: ViewSearch): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The views of a tenant, in the order in which they were saved. */
export function useViews(list: ViewedList, tenantId: string): readonly View[] {
  const views = known.use();
  const key = keyOf(list, tenantId);
  const read = views.get(key) ?? parse(key, list);
  views.set(key, read);
  return read;
}

/** Saves the views, as long as there are not too many. */
export function storeViews(list: ViewedList, tenantId: string, views: readonly View[]): void {
  const key = keyOf(list, tenantId);
  const kept = views.slice(0, MAX_VIEWS);
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // They last until the page is closed.
  }
  known.set(new Map(known.get()).set(key, kept));
}

function parse(key: string, { read }: ViewedList): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap((one) => toView(one, read)).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Nothing, where it is no view. */
function toView(stored: unknown, read: ViewedList['read']): View[] {
  const { name, search } = Object(stored) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return [];
  return [{ name: name.slice(0, MAX_NAME), search: read(Object(search)) }];
}

// Another tab has saved one.
window.addEventListener('storage', ({ key }) => {
  if (key !== null) known.set(new Map([...known.get()].filter(([one]) => one !== key)));
});
