import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import styles from './bulk.module.css';
import { cancelRun, useRun } from './run';

/** How far a change of many conversations is, and the way to stop it. */
export function RunProgress() {
  const t = useMessages(messages);
  const format = useFormat();
  const run = useRun();
  if (!run) return null;
  const text = t.bulk.progress(format.count(run.done), format.count(run.total));
  return (
    <section className={styles.bar} aria-label={t.bulk.running}>
      <span role="status">{run.isCancelled ? t.bulk.stopping : text}</span>
      <progress className={styles.progress} aria-label={t.bulk.running} max={run.total} value={run.done} />
      <Button size="small" disabled={run.isCancelled} onClick={cancelRun}>
        {t.bulk.stop}
      </Button>
    </section>
  );
}
