import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/field';
import { messages } from '../messages';
import { LabelName } from './label-badges';
import styles from './labels.module.css';
import { ManageLabels } from './manage-labels';
import { NewLabel } from './new-label';
import { useLabels, useMayManageLabels } from './use-labels';

/** More are found by a part of their name. */
const SEEN_AT_ONCE = 12;

interface LabelChoiceProps {
  chosen: readonly string[];
  onToggle: (labelId: string, isChosen: boolean) => void;
  /** Whether a new label can be made here, which is chosen then. */
  mayMake?: boolean;
}

/** A box for each label of the tenant, and the way to its list. */
export function LabelChoice({ chosen, onToggle, mayMake = false }: LabelChoiceProps) {
  const t = useMessages(messages);
  const labels = useLabels();
  const mayManage = useMayManageLabels();
  const [part, setPart] = useState('');
  const [isManaging, setManaging] = useState(false);
  const all = labels.data ?? [];
  const shown = all.filter(({ name }) => name.toLowerCase().includes(part.trim().toLowerCase()));
  return (
    <>
      {labels.error && <CallError error={labels.error} onRetry={labels.refetch} />}
      {labels.data?.length === 0 && <p className={styles.soft}>{t.labels.none}</p>}
      {all.length > SEEN_AT_ONCE && (
        <TextField
          type="search"
          label={t.labels.find}
          value={part}
          maxLength={50}
          onChange={(event) => setPart(event.target.value)}
        />
      )}
      {all.length > 0 && (
        <fieldset className={styles.choices}>
          <legend className="unseen">{t.labels.title}</legend>
          {shown.map((label) => (
            <label key={label.id} className={styles.choice}>
              <input
                type="checkbox"
                checked={chosen.includes(label.id)}
                onChange={(event) => onToggle(label.id, event.target.checked)}
              />
              <LabelName label={label} />
            </label>
          ))}
        </fieldset>
      )}
      {mayManage && mayMake && <NewLabel onMade={(labelId) => onToggle(labelId, true)} />}
      {mayManage && (
        <div>
          <Button size="small" onClick={() => setManaging(true)}>
            {t.labels.manage}
          </Button>
        </div>
      )}
      {isManaging && <ManageLabels onClose={() => setManaging(false)} />}
    </>
  );
}
