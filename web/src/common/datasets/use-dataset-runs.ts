import { useQuery } from '@tanstack/react-query';
import type { Scope } from '../../api/scope';
import { session } from '../../api/session';
import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { datasetMessages } from './messages';
import { holdBack } from './pending-datasets';
import { type Outcome, startRun } from './run';
import { deleteDataset, moveDataset, moveDocuments, undoMoves } from './steps';

/** Documents of one call, where the server takes so many. */
const STEP = 100;
/** Moves that can be undone. */
const MAX_UNDONE = 1_000;

interface Dataset {
  scope: Scope;
  datasetId: string;
  documents: number;
}

/** Changes of datasets that take their time, with what is said in the end. */
export function useDatasetRuns() {
  const t = useMessages(datasetMessages);
  const { data } = useQuery(session);
  const size = Math.min(STEP, data?.server.maxPageSize ?? STEP);

  const say = (text: string, { isStopped }: Outcome) => (isStopped ? `${text} ${t.done.stopped}` : text);

  const undo = (scope: Scope, moved: Outcome['moved']) =>
    startRun({
      task: { kind: 'undo' },
      total: moved.length,
      steps: (done) => undoMoves(moved, { scope, size, done }),
      onEnd: (outcome) => showToast({ text: say(t.done.undo(outcome.changed), outcome) }),
    });

  const endMove = (scope: Scope, to: string) => (outcome: Outcome) => {
    const { changed, moved } = outcome;
    const isUndoable = moved.length > 0 && moved.length <= MAX_UNDONE;
    showToast({
      text: say(t.done.move(changed, to), outcome),
      isOfMany: true,
      ...(isUndoable && { action: { label: t.undo, run: () => undo(scope, moved) } }),
    });
  };

  return {
    /** All documents of a dataset. */
    move: ({ scope, datasetId, documents }: Dataset, to: string) =>
      startRun({
        task: { kind: 'move', to },
        total: documents,
        steps: () => moveDataset({ scope, datasetId, size }, to),
        onEnd: endMove(scope, to),
      }),

    /** Some documents; from all datasets that they are in, if `from` is undefined. */
    moveSome: (
      documents: readonly Document[],
      where: { scope: Scope; from: string | undefined; to: string },
    ) =>
      startRun({
        task: { kind: 'move', to: where.to },
        total: documents.length,
        steps: (done) => moveDocuments(documents.slice(done), { ...where, size }),
        onEnd: endMove(where.scope, where.to),
      }),

    /** Begins when the toast that can take it back is gone. */
    delete: ({ scope, datasetId, documents }: Dataset) =>
      holdBack({
        tenantId: scope.tenantId,
        tenantUnitId: scope.tenantUnitId,
        datasetId,
        text: t.pending(datasetId, documents),
        undo: t.undo,
        run: () =>
          startRun({
            task: { kind: 'delete', from: datasetId },
            total: documents,
            steps: () => deleteDataset({ scope, datasetId, size }),
            onEnd: (outcome) => showToast({ text: say(t.done.delete(outcome.changed, datasetId), outcome) }),
          }),
      }),
  };
}
