import { useEffect, useRef, useState } from 'react';
import type { Range } from './use-document-pages';

/** Rows on both sides of those that are shown, which are loaded before they are. */
const AHEAD = 25;
/** Rows that are scrolled past faster are not loaded. */
const PASSING_MS = 60;

/** The rows to load: those that are shown and some beside them, once they are not scrolled past at once. */
export function usePassingRange(initial: Range): [Range, (shown: Range) => void] {
  const [range, setRange] = useState(initial);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = ({ first, last }: Range) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => setRange({ first: Math.max(0, first - AHEAD), last: last + AHEAD }),
      PASSING_MS,
    );
  };
  return [range, show];
}
