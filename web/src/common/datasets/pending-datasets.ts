import { createStore } from '../../ui/store';
import { showToast } from '../../ui/toast';

/** A dataset that is about to be deleted. */
interface Pending {
  tenantId: string;
  /** All of the tenant's, if undefined. */
  tenantUnitId: string | undefined;
  datasetId: string;
}

const pending = createStore<readonly Pending[]>([]);

/** Whether nobody is shown a dataset, because it is about to be deleted. */
export function useIsPending(): (dataset: Pending) => boolean {
  const all = pending.use();
  return (asked) => all.some((one) => isSame(one, asked));
}

/** Waits until the toast that can take it back is gone. */
export function holdBack({
  text,
  undo,
  run,
  ...dataset
}: Pending & { text: string; undo: string; run: () => Promise<void> }): void {
  const forget = () => pending.set(pending.get().filter((one) => !isSame(one, dataset)));
  pending.set([...pending.get(), dataset]);
  showToast({
    text,
    action: { label: undo, run: forget },
    onEnd: () => void run().then(forget),
  });
}

const isSame = (one: Pending, other: Pending) =>
  one.tenantId === other.tenantId &&
  one.tenantUnitId === other.tenantUnitId &&
  one.datasetId === other.datasetId;

// It takes many calls, which a page that is left cannot make.
window.addEventListener('beforeunload', (event) => {
  if (pending.get().length > 0) event.preventDefault();
});
