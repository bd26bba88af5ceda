import { X } from 'lucide-react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import { createStore } from './store';
import styles from './toast.module.css';

/** Long enough to read a sentence and to reach the button. */
const SHOWN_MS = 8_000;
/** Of a change of many: somebody looks first at what was done. */
const SHOWN_OF_MANY_MS = 30_000;

interface Toast {
  text: string;
  tone?: 'neutral' | 'bad';
  isOfMany?: boolean;
  /** What can be done about it; the toast is gone then. */
  action?: { label: string; run: () => void };
  /** Its time is over, or somebody dismissed it. Not called after its action, nor where it is closed. */
  onEnd?: () => void;
}

interface ShownToast extends Toast {
  id: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const shown = createStore<readonly ShownToast[]>([]);
let lastId = 0;

const messages: Dictionary<{ region: string; dismiss: string }> = {
  en: { region: 'Messages', dismiss: 'Dismiss' },
  zh: { region: '消息', dismiss: '关闭' },
};

/**
 * Shows a sentence for some seconds, also while another screen is opened.
 *
 * @returns closes it before
 */
export function showToast(toast: Toast): () => void {
  lastId += 1;
  const added: ShownToast = { ...toast, id: lastId, timer: undefined };
  shown.set([...shown.get(), added]);
  startTimer(added);
  return () => close(added);
}

/** All toasts, read out as they appear. Rendered once, around the screens. */
export function Toasts() {
  const t = useMessages(messages);
  const toasts = shown.use();
  // Whoever is about to press a button has all the time that it takes. A button that is gone does not lose the focus.
  const pause = () => shown.get().forEach(stopTimer);
  const resume = () => shown.get().forEach(startTimer);
  return (
    <section
      className={styles.toasts}
      aria-label={t.region}
      aria-live="polite"
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      {toasts.map((toast) => (
        <div key={toast.id} className={toast.tone === 'bad' ? `${styles.toast} ${styles.bad}` : styles.toast}>
          <p>{toast.text}</p>
          {toast.action && (
            <Button
              size="small"
              onClick={() => {
                close(toast);
                resume();
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <Button
            kind="quiet"
            size="icon"
            aria-label={t.dismiss}
            onClick={() => {
              end(toast);
              resume();
            }}
          >
            <X />
          </Button>
        </div>
      ))}
    </section>
  );
}

function startTimer(toast: ShownToast): void {
  stopTimer(toast);
  toast.timer = setTimeout(() => end(toast), toast.isOfMany ? SHOWN_OF_MANY_MS : SHOWN_MS);
}

function stopTimer({ timer }: ShownToast): void {
  clearTimeout(timer);
}

function end(toast: ShownToast): void {
  close(toast);
  toast.onEnd?.();
}

function close(toast: ShownToast): void {
  stopTimer(toast);
  shown.set(shown.get().filter(({ id }) => id !== toast.id));
}
