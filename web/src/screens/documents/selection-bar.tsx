import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { MoveDialog } from '../../common/datasets/move-dialog';
import { useRun } from '../../common/datasets/run';
import { useDatasetRuns } from '../../common/datasets/use-dataset-runs';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import type { Confirmation } from './confirm-dialog';
import styles from './documents.module.css';
import { messages } from './messages';
import { useBatches } from './use-batches';
import { isPending } from './use-document-pages';
import type { Selection } from './use-selection';

interface SelectionBarProps {
  selection: Selection;
  /** Most documents of one call. */
  batchSize: number;
  /** The one that the list is filtered by. */
  dataset: string | undefined;
  onConfirm: (confirmation: Confirmation) => void;
}

/** What can be done with the selected documents. */
export function SelectionBar({ selection, batchSize, dataset, onConfirm }: SelectionBarProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const scope = useScope();
  const { setEnabled, done } = useBatches();
  const { moveSome } = useDatasetRuns();
  const isRunning = useRun() !== undefined;
  const [isMoving, setMoving] = useState(false);
  const documents = [...selection.selected.values()];
  const setAll = (enabled: boolean) =>
    setEnabled.mutate({ documents, size: batchSize, enabled }, { onSuccess: selection.clear });
  return (
    <section className={styles.selection} aria-label={t.selection}>
      <strong role="status">
        {setEnabled.isPending
          ? t.progress(format.count(done), format.count(documents.length))
          : t.selected(documents.length, format.count(documents.length))}
      </strong>
      <Button size="small" disabled={setEnabled.isPending} onClick={() => setAll(true)}>
        {t.enable}
      </Button>
      <Button size="small" disabled={setEnabled.isPending} onClick={() => setAll(false)}>
        {t.disable}
      </Button>
      <Button size="small" aria-haspopup="dialog" disabled={isRunning} onClick={() => setMoving(true)}>
        {t.move}
      </Button>
      <Button size="small" onClick={() => onConfirm({ action: 'reprocess', documents })}>
        {t.reprocess}
      </Button>
      <Button
        size="small"
        disabled={!documents.some(isPending)}
        onClick={() => onConfirm({ action: 'cancel', documents })}
      >
        {t.cancelProcessing}
      </Button>
      <Button size="small" kind="danger" onClick={() => onConfirm({ action: 'delete', documents })}>
        {t.delete}
      </Button>
      <Button size="small" kind="quiet" onClick={selection.clear}>
        {t.clearSelection}
      </Button>
      {setEnabled.error && <CallError error={setEnabled.error} />}
      {isMoving && (
        <MoveDialog
          count={documents.length}
          from={dataset}
          onMove={(to) => {
            moveSome(documents, { scope, from: dataset, to });
            selection.clear();
          }}
          onClose={() => setMoving(false)}
        />
      )}
    </section>
  );
}
