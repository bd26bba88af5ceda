import { useState } from 'react';
import { DatasetsField } from '../../api/datasets-field';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { SubmitButton, useReasons } from '../../ui/submit-button';
import { datasetMessages } from './messages';

interface MoveDialogProps {
  count: number;
  /** The dataset that they leave; all that they are in, if undefined. */
  from: string | undefined;
  /** Of the documents, where those of others stay. */
  unit?: string | undefined;
  onMove: (to: string) => void;
  onClose: () => void;
}

/** Chooses the dataset that documents are moved to. */
export function MoveDialog({ count, from, unit, onMove, onClose }: MoveDialogProps) {
  const t = useMessages(datasetMessages);
  const format = useFormat();
  const reasons = useReasons();
  const [chosen, setChosen] = useState<string[]>([]);
  const [to] = chosen;
  const submit = () => {
    if (to === undefined) return;
    onMove(to);
    onClose();
  };
  return (
    <Dialog title={t.moving.title(count, format.count(count))} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{from === undefined ? t.moving.fromAll : t.moving.fromOne(from)}</p>
        {unit !== undefined && <p>{t.moving.unit(unit)}</p>}
        <DatasetsField
          label={t.moving.to}
          hint={t.moving.hint}
          value={chosen}
          most={1}
          except={from}
          onValue={(ids) => setChosen(ids.filter((id) => id !== from))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton kind="primary" reason={to === undefined ? reasons.missing(t.moving.to) : undefined}>
            {t.moving.submit}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
