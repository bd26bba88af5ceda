import { useSyncExternalStore } from 'react';
import { type ConversationsSearch, readConversationsSearch, readFilters } from '../search-params';

/** Filters with a name, which this browser keeps for a tenant. */
export interface View {
  name: string;
  /** What is searched and the filters, as in the address. */
  search: ConversationsSearch;
}

export const MAX_VIEWS = 20;
export const MAX_NAME = 60;

const keyOf = (tenantId: string) => `lectern.views.${tenantId}`;
/** What was read, or could not be stored, by key. */
const known = new Map<string, readonly View[]>();
const listeners = new Set<() => void>();

/** The part of the address that a view has. */
export const viewedOf = (search: ConversationsSearch): ConversationsSearch => ({
  q: search.q,
  ...readFilters({ ...search }),
});

export const isSameView = (one: ConversationsSearch, other: ConversationsSearch): boolean =>
  JSON.stringify(viewedOf(one)) === JSON.stringify(viewedOf(other));

/** The views of a tenant, in the order in which they were saved. */
export const useViews = (tenantId: string): readonly View[] =>
  useSyncExternalStore(subscribe, () => readViews(tenantId));

/** Saves the views, as long as there are not too many. */
export function storeViews(tenantId: string, views: readonly View[]): void {
  const kept = views.slice(0, MAX_VIEWS);
  known.set(keyOf(tenantId), kept);
  try {
    localStorage.setItem(keyOf(tenantId), JSON.stringify(kept));
  } catch {
    // They last until the page is closed.
  }
  for (const listener of listeners) listener();
}

function readViews(tenantId: string): readonly View[] {
  const key = keyOf(tenantId);
  const views = known.get(key) ?? parse(key);
  known.set(key, views);
  return views;
}

function parse(key: string): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(toView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** Nothing, where it is no view. */
function toView(stored: unknown): View[] {
  const { name, search } = Object(stored) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return [];
  return [{ name: name.slice(0, MAX_NAME), search: viewedOf(readConversationsSearch(Object(search))) }];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Another tab has saved one.
window.addEventListener('storage', ({ key }) => {
  if (key !== null) known.delete(key);
  for (const listener of listeners) listener();
});
