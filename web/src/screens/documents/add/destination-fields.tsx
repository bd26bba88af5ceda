import { DatasetsField } from '../../../api/datasets-field';
import { useMessages } from '../../../language/language';
import { TextField } from '../../../ui/field';
import { messages } from '../messages';
import styles from './add.module.css';
import type { DraftProps } from './source-fields';

interface DestinationFieldsProps extends DraftProps {
  /** The dataset where none is chosen, if that is not none. */
  proposed: string | undefined;
}

/** The unit and the datasets of new documents. */
export function DestinationFields({ draft, set, proposed }: DestinationFieldsProps) {
  const t = useMessages(messages);
  const isNone = proposed === undefined && draft.datasets.length === 0;
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
      <p className={isNone ? `${styles.hint} ${styles.warning}` : styles.hint}>
        {proposed === undefined ? t.add.datasetsHint : t.add.firstDataset(proposed)}
      </p>
    </div>
  );
}
