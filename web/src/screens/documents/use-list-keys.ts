import type { KeyboardEvent } from 'react';

/** How far the keys go from a row. */
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
/** Until a row that was scrolled to exists. */
const MAX_FRAMES = 180;

interface ListKeysOptions {
  count: number;
  scrollTo: (row: number) => void;
}

/** Moves from the box of a row to those of others, as in a list: also to rows that do not exist yet. */
export function useListKeys({ count, scrollTo }: ListKeysOptions) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { row } = (event.target as HTMLElement).dataset;
    const step = STEPS[event.key];
    if (row === undefined || step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, Number(row) + step));
    scrollTo(next);
    focusRow(event.currentTarget, next);
  };
  return { onKeyDown };
}

function focusRow(list: HTMLElement, row: number, frames = 0): void {
  const box = list.querySelector<HTMLElement>(`[data-row="${row}"]`);
  if (box) box.focus({ preventScroll: true });
  else if (frames < MAX_FRAMES) requestAnimationFrame(() => focusRow(list, row, frames + 1));
}
