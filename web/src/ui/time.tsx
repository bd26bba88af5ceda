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

/** Stands for the time until its element is put in. */
const PLACE = '\u{fffc}';

/** A sentence with a time in it. */
export function TimeIn({ iso, say }: { iso: string; say: (time: string) => string }) {
  const sentence = say(PLACE);
  const place = sentence.indexOf(PLACE);
  return (
    <>
      {sentence.slice(0, place)}
      <Time iso={iso} />
      {sentence.slice(place + 1)}
    </>
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
