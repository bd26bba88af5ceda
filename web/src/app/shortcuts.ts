import { useEffect, useEffectEvent } from 'react';

/** What keys do; a key of two letters is typed one after the other. */
export type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 1_000;

/** Calls what a key stands for, unless it is typed into a field or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const call = useEffectEvent((keys: string): boolean => {
    const action = shortcuts[keys];
    action?.();
    return action !== undefined;
  });
  useEffect(() => {
    let before = { key: '', at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      const isSequence = event.timeStamp - before.at < SEQUENCE_MS;
      const isCalled = (isSequence && call(`${before.key} ${event.key}`)) || call(event.key);
      if (isCalled) event.preventDefault();
      before = { key: isCalled ? '' : event.key, at: event.timeStamp };
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select') !== null);
