import { useMessages } from '../../../language/language';
import { TextField } from '../../../ui/field';
import styles from '../documents.module.css';
import { messages } from '../messages';

interface DestinationFieldsProps {
  unit: string;
  setUnit: (unit: string) => void;
  datasets: string;
  setDatasets: (datasets: string) => void;
}

/** The unit and the datasets of new documents. */
export function DestinationFields({ unit, setUnit, datasets, setDatasets }: DestinationFieldsProps) {
  const t = useMessages(messages);
  return (
    <>
      <TextField
        label={t.add.unit}
        value={unit}
        required
        maxLength={255}
        onChange={(event) => setUnit(event.target.value)}
      />
      <TextField
        label={t.add.datasets}
        value={datasets}
        spellCheck={false}
        onChange={(event) => setDatasets(event.target.value)}
      />
      <p className={styles.hint}>{t.add.datasetsHint}</p>
    </>
  );
}
