import { useRef, useState } from 'react';
import type { ListedConversation } from '../search-params';

const NOTHING = { ids: new Set<string>() as ReadonlySet<string>, isAll: false };

/**
 * The conversations of a page that are chosen, or all that the filters match.
 *
 * @param list names the page and its filters: another one has nothing chosen
 */
export function useSelection(shown: readonly ListedConversation[], list: string) {
  const [state, setState] = useState({ list, ...NOTHING });
  const anchor = useRef<string>(undefined);
  const { ids, isAll } = state.list === list ? state : NOTHING;
  const choose = (next: ReadonlySet<string>, all = false) => setState({ list, ids: next, isAll: all });
  const placeOf = (id: string | undefined) => shown.findIndex((one) => one.id === id);
  return {
    chosen: shown.filter(({ id }) => ids.has(id)),
    isAll,
    /** @param isRange whether all between it and the one before are meant */
    toggle: (id: string, isChosen: boolean, isRange: boolean) => {
      const place = placeOf(id);
      const from = isRange ? placeOf(anchor.current) : place;
      const range = shown.slice(
        Math.min(place, from < 0 ? place : from),
        Math.max(place, from < 0 ? place : from) + 1,
      );
      const next = new Set(ids);
      for (const one of range) {
        if (isChosen) next.add(one.id);
        else next.delete(one.id);
      }
      anchor.current = id;
      choose(next);
    },
    choosePage: () => choose(new Set(shown.map(({ id }) => id))),
    chooseAll: () => choose(new Set(shown.map(({ id }) => id)), true),
    clear: () => choose(NOTHING.ids),
  };
}

export type Selection = ReturnType<typeof useSelection>;
