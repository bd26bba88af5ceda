import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { DialogActions } from '../../../ui/dialog';
import styles from '../documents.module.css';
import { messages } from '../messages';
import type { Outcome } from './use-add';

/** Addresses that are shown; the others are counted. */
const MAX_SHOWN = 20;

/** Which addresses became documents, and which did not. */
export function ImportOutcome({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const t = useMessages(messages);
  const { created, skipped, truncated } = outcome;
  return (
    <>
      <p role="status">{t.done.added(created.length)}</p>
      {truncated && <p>{t.add.truncated}</p>}
      {skipped.length > 0 && <p>{t.add.skipped(skipped.length)}</p>}
      <ul className={styles.names}>
        {skipped.slice(0, MAX_SHOWN).map(({ url, reason }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes, with the same address twice
          <li key={place}>
            {url} <span className={styles.hint}>{t.add.reasons[reason]}</span>
          </li>
        ))}
        {skipped.length > MAX_SHOWN && <li>{t.more(skipped.length - MAX_SHOWN)}</li>}
      </ul>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t.add.close}
        </Button>
      </DialogActions>
    </>
  );
}
