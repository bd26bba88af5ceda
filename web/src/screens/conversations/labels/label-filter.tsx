import { useState } from 'react';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { DialogField } from '../../../ui/dialog-field';
import { messages } from '../messages';
import { MAX_LABELS, readLabelIds } from '../search-params';
import { LabelChoice } from './label-choice';
import { useLabels } from './use-labels';

interface LabelFilterProps {
  /** Ids, separated by commas. */
  value: string | undefined;
  onFilter: (labels: string) => void;
}

/** Filters by labels of the tenant. */
export function LabelFilter({ value, onFilter }: LabelFilterProps) {
  const t = useMessages(messages);
  const { data } = useLabels();
  const [isOpen, setOpen] = useState(false);
  const chosen = readLabelIds(value);
  const nameOf = (id: string) => data?.find((label) => label.id === id)?.name ?? id;
  const toggle = (labelId: string, isChosen: boolean) => {
    const others = chosen.filter((id) => id !== labelId);
    if (!isChosen) onFilter(others.join(','));
    else if (others.length < MAX_LABELS) onFilter([...others, labelId].join(','));
  };
  return (
    <>
      <DialogField label={t.labels.title} onOpen={() => setOpen(true)}>
        {chosen.map(nameOf).join(', ') || t.any}
      </DialogField>
      {isOpen && (
        <Dialog title={t.labels.filter} onClose={() => setOpen(false)}>
          <LabelChoice chosen={chosen} onToggle={toggle} />
          <DialogActions>
            <Button disabled={chosen.length === 0} onClick={() => onFilter('')}>
              {t.labels.clear}
            </Button>
            <Button kind="primary" onClick={() => setOpen(false)}>
              {t.labels.done}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
