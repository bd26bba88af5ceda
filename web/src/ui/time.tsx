import { useSyncExternalStore } from 'react';
import { useFormat } from '../language/language';

const TICK_MS = 10_000;

let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** How long ago something was, or how far ahead it is, kept up to date. The tooltip has the exact time. */
export function Time({ iso }: { iso: string }) {
  const { ago, exactTime } = useFormat();
  useSyncExternalStore(subscribe, () => ticks);
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {ago(iso)}
    </time>
  );
}

/** One timer for all of them, while there are any. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  ticks += 1;
  for (const listener of listeners) listener();
}
