import { useEffect, useEffectEvent } from 'react';

/** What keys do; a key of two letters is typed one after the other. `Ctrl+k` is `⌘ k` on a Mac. */
type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 1_000;

/** Of the screen first, then of what is around it. */
const called: ((keys: string) => boolean)[] = [];
let before = { key: '', at: 0 };

/** Calls what a key stands for, unless a dialog is open, or it is typed into a field without Ctrl. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const call = useEffectEvent((keys: string): boolean => {
    const action = shortcuts[keys];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    const own = (keys: string) => call(keys);
    called.unshift(own);
    return () => void called.splice(called.indexOf(own), 1);
  }, []);
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || isDialogOpen()) return;
  if (event.ctrlKey || event.metaKey) {
    if (called.some((call) => call(`Ctrl+${event.key}`))) event.preventDefault();
    return;
  }
  if (isField(event.target)) return;
  const isSequence = event.timeStamp - before.at < SEQUENCE_MS;
  // The second letter of a pair is no key of its own.
  const isCalled =
    (isSequence && called.some((call) => call(`${before.key} ${event.key}`))) ||
    called.some((call) => call(event.key));
  if (isCalled) event.preventDefault();
  before = { key: isCalled ? '' : event.key, at: event.timeStamp };
});

const isDialogOpen = () => document.querySelector('dialog[open]') !== null;

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null;
