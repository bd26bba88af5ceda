import { DatasetsField } from '../../../api/datasets-field';
import { useMessages } from '../../../language/language';
import { TextField } from '../../../ui/field';
import { messages } from '../messages';
import styles from './add.module.css';
import type { DraftProps } from './source-fields';

/** The unit and the datasets of new documents. */
export function DestinationFields({ draft, set }: DraftProps) {
  const t = useMessages(messages);
  return (
    <div className={styles.destination}>
      <TextField
        label={t.add.unit}
        value={draft.unit}
        required
        maxLength={255}
        spellCheck={false}
        onChange={(event) => set({ unit: event.target.value })}
      />
      <DatasetsField
        label={t.add.datasets}
        value={draft.datasets}
        unit={draft.unit}
        onValue={(datasets) => set({ datasets })}
      />
      <p className={draft.datasets.length === 0 ? `${styles.hint} ${styles.warning}` : styles.hint}>
        {t.add.datasetsHint}
      </p>
    </div>
  );
}
