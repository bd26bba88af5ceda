import { readFailure } from '../../api/errors';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { datasetMessages } from './messages';
import { type Run, stopRun, type Task, useRun } from './run';
import styles from './run-progress.module.css';

/** How far a change of datasets is, and the way to stop it; or why it was interrupted, and the way to go on. */
export function RunProgress() {
  const t = useMessages(datasetMessages);
  const run = useRun();
  if (!run) return null;
  return (
    <section className={styles.bar} aria-label={t.run.title}>
      {run.interrupted ? <Interrupted run={run} interrupted={run.interrupted} /> : <Progress run={run} />}
    </section>
  );
}

function Progress({ run: { task, done, total, isStopping } }: { run: Run }) {
  const t = useMessages(datasetMessages);
  const format = useFormat();
  const title = useTitle(task);
  return (
    <>
      <span role="status">
        {isStopping
          ? t.run.stopping
          : format.named(title, t.run.progress(format.count(done), format.count(total)))}
      </span>
      <progress className={styles.progress} aria-label={title} max={Math.max(total, 1)} value={done} />
      <Button size="small" disabled={isStopping} onClick={stopRun}>
        {t.run.stop}
      </Button>
    </>
  );
}

function Interrupted({ run, interrupted }: { run: Run; interrupted: NonNullable<Run['interrupted']> }) {
  const t = useMessages(datasetMessages);
  const format = useFormat();
  const { status, sentences } = readFailure(interrupted.error);
  const why = (status !== undefined && sentences[0]) || t.noAnswer;
  return (
    <>
      <p role="alert" className={styles.fault}>
        {t.run.failed(format.count(run.done), format.count(run.total), why)}
      </p>
      <Button size="small" kind="primary" onClick={() => interrupted.decide(true)}>
        {t.run.resume}
      </Button>
      <Button size="small" onClick={() => interrupted.decide(false)}>
        {t.run.close}
      </Button>
    </>
  );
}

function useTitle(task: Task): string {
  const { run } = useMessages(datasetMessages);
  if (task.kind === 'move') return run.move(task.to);
  return task.kind === 'delete' ? run.delete(task.from) : run.undo;
}
