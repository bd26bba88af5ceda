import { useScope } from '../../api/scope';
import { MoveDialog } from '../../common/datasets/move-dialog';
import { useDatasetRuns } from '../../common/datasets/use-dataset-runs';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { messages } from './messages';
import { RenameDialog } from './rename-dialog';
import type { Dataset } from './use-datasets';

export type Action = 'rename' | 'move' | 'delete';

interface ActionDialogProps {
  action: Action;
  dataset: Dataset;
  onClose: () => void;
}

/** Asks what a change of a dataset needs, and begins it. */
export function ActionDialog({ action, dataset, onClose }: ActionDialogProps) {
  const scope = useScope();
  const runs = useDatasetRuns();
  const { datasetId, documents } = dataset;
  const about = { scope, datasetId, documents };
  if (action === 'delete')
    return <DeleteDialog dataset={dataset} onDelete={() => runs.delete(about)} onClose={onClose} />;
  if (action === 'rename')
    return <RenameDialog datasetId={datasetId} onRename={(to) => runs.move(about, to)} onClose={onClose} />;
  return (
    <MoveDialog
      count={documents}
      from={datasetId}
      unit={scope.tenantUnitId}
      onMove={(to) => runs.move(about, to)}
      onClose={onClose}
    />
  );
}

interface DeleteDialogProps {
  dataset: Dataset;
  onDelete: () => void;
  onClose: () => void;
}

function DeleteDialog({ dataset, onDelete, onClose }: DeleteDialogProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { tenantUnitId } = useScope();
  const { datasetId, documents, isLowerBound } = dataset;
  return (
    <Dialog title={t.deleting.title(datasetId)} onClose={onClose}>
      <p>
        {t.deleting.text(documents, format.count(documents), isLowerBound)} {t.deleting.shared}
      </p>
      {tenantUnitId !== undefined && <p>{t.deleting.unit(tenantUnitId)}</p>}
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          kind="danger"
          onClick={() => {
            onDelete();
            onClose();
          }}
        >
          {t.deleting.submit}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
