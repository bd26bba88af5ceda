import { useEffect, useRef } from 'react';
import { useShortcuts } from '../../ui/use-shortcuts';

interface StepKeysOptions<T> {
  /** Names the list: in another one, the place of the former is of no use. */
  list: string;
  items: readonly T[];
  isOpened: (item: T) => boolean;
  onOpen: (item: T) => void;
  /** Beyond the last item, or before the first one. */
  onLeave?: (step: 1 | -1) => void;
}

/**
 * `j` opens the next item of a list, and `k` the one before.
 *
 * @returns for the element of the list, in which the opened one is scrolled into view
 */
export function useStepKeys<T>({ list, items, isOpened, onOpen, onLeave }: StepKeysOptions<T>) {
  const element = useRef<HTMLUListElement>(null);
  const isByKey = useRef(false);
  const last = useRef({ list, place: -1 });
  const place = items.findIndex(isOpened);
  useEffect(() => {
    if (place < 0) return;
    last.current = { list, place };
    if (isByKey.current)
      element.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    isByKey.current = false;
  }, [list, place]);
  /** An opened one that no longer fits the filters has left its place to the next one. */
  const placeOfGone = (step: 1 | -1) => {
    const gone = last.current.list === list ? last.current.place : -1;
    return Math.max(0, step > 0 ? gone : gone - 1);
  };
  const go = (step: 1 | -1) => {
    const item = items[place >= 0 ? place + step : placeOfGone(step)];
    isByKey.current = true;
    if (item) onOpen(item);
    else onLeave?.(step);
  };
  useShortcuts({ j: () => go(1), k: () => go(-1) });
  return element;
}
