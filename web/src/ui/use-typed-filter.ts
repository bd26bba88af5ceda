import { useEffect, useEffectEvent, useState } from 'react';

/** After the last key, before the server is asked. */
const TYPING_MS = 300;

/** A text of the address that is typed: it becomes part of the address when typing pauses. */
export function useTypedFilter(applied = '', onChange: (value: string) => void) {
  const [typed, setTyped] = useState(applied);
  useEffect(() => setTyped(applied), [applied]);
  const apply = useEffectEvent(() => {
    if (typed.trim() !== applied) onChange(typed.trim());
  });
  useEffect(() => {
    if (typed.trim() === applied) return;
    // What is behind a dialog stays as it was when the dialog was opened.
    const timer = setInterval(() => {
      if (!document.querySelector('dialog[open]')) apply();
    }, TYPING_MS);
    return () => clearInterval(timer);
  }, [typed, applied]);
  const applyNow = () => {
    if (typed.trim() !== applied) onChange(typed.trim());
  };
  return [typed, setTyped, applyNow] as const;
}
