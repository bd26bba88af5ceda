import { CallError } from '../../../api/call-error';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { messages } from '../messages';
import { LabelRow } from './label-row';
import styles from './labels.module.css';
import { NewLabel } from './new-label';
import { useLabels } from './use-labels';

/** The labels of the tenant: new ones, names, colours. */
export function ManageLabels({ onClose }: { onClose: () => void }) {
  const t = useMessages(messages);
  const labels = useLabels();
  return (
    <Dialog title={t.labels.manage} onClose={onClose}>
      {labels.error && <CallError error={labels.error} onRetry={labels.refetch} />}
      <ul className={styles.rows}>
        {labels.data?.map((label) => (
          <LabelRow key={label.id} label={label} />
        ))}
      </ul>
      <NewLabel />
      <DialogActions>
        <Button onClick={onClose}>{t.labels.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
