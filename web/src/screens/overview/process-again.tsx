import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import styles from './attention.module.css';
import { messages } from './messages';
import { useProcessAgain } from './use-process-again';

/** Has the documents that failed for a reason processed again. */
export default function ProcessAgain({ code, reason }: { code: string; reason: string }) {
  const t = useMessages(messages).attention;
  const format = useFormat();
  const { mutation, progress } = useProcessAgain(code);
  return (
    <div className={styles.again}>
      {mutation.error && <CallError error={mutation.error} />}
      {progress && (
        <span role="status">{t.queued(format.count(progress.done), format.count(progress.of))}</span>
      )}
      <Button
        size="small"
        aria-label={t.againOf(reason)}
        disabled={mutation.isPending}
        onClick={() => mutation.mutate()}
      >
        {t.again}
      </Button>
    </div>
  );
}
