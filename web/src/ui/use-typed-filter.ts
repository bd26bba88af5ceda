import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** After the last key, before the server is asked. */
const TYPING_MS = 300;

/** A text of the address that is typed: it becomes part of the address when typing pauses. */
export function useTypedFilter(applied = '', onChange: (value: string) => void) {
  const [typed, setTyped] = useState(applied);
  const sent = useRef(applied);
  useEffect(() => {
    // What was typed here is longer by now, or has a space at its end.
    if (applied !== sent.current) setTyped(applied);
    sent.current = applied;
  }, [applied]);
  const send = (value: string) => {
    sent.current = value;
    onChange(value);
  };
  const apply = useEffectEvent(() => {
    if (typed.trim() !== applied) send(typed.trim());
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
    if (typed.trim() !== applied) send(typed.trim());
  };
  return [typed, setTyped, applyNow] as const;
}
