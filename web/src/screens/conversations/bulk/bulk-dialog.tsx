import { useState } from 'react';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { messages } from '../messages';
import { deleteWithUndo } from '../pending-deletions';
import { refOf } from '../search-params';
import { AssignFields, LabelFields, StatusFields } from './change-fields';
import { type Change, countOf, type Target } from './steps';
import { MAX_UNDONE, useBulk } from './use-bulk';

export const actions = ['status', 'addLabels', 'removeLabels', 'assign', 'delete'] as const;
export type Action = (typeof actions)[number];

interface BulkDialogProps {
  action: Action;
  target: Target;
  onDone: () => void;
  onClose: () => void;
}

/** What each becomes until something is chosen; undefined: something has to be. */
const INITIAL: Record<Action, Change | undefined> = {
  status: { action: 'setStatus', status: 'succeeded' },
  addLabels: undefined,
  removeLabels: undefined,
  assign: { action: 'assign', assignmentId: null },
  delete: { action: 'delete' },
};

/** Says what a change of many conversations is, and makes it. */
export function BulkDialog({ action, target, onDone, onClose }: BulkDialogProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const format = useFormat();
  const bulk = useBulk();
  const [change, setChange] = useState(INITIAL[action]);
  const count = countOf(target);
  const isHeldBack = action === 'delete' && 'conversations' in target;
  const isFinal = !isHeldBack && (action === 'delete' || count > MAX_UNDONE);
  const make = () => {
    if (isHeldBack) {
      deleteWithUndo(target.conversations.map(refOf), {
        pending: t.bulk.pending(count),
        undo: t.remove.undo,
        failed: (why = t.remove.noAnswer) => t.bulk.notDeleted(why),
      });
    } else if (change) void bulk(target, change);
    onDone();
    onClose();
  };
  return (
    <Dialog title={t.bulk.titles[action](count, format.count(count))} onClose={onClose}>
      {action === 'status' && <StatusFields change={change} onChange={setChange} />}
      {action === 'assign' && <AssignFields change={change} onChange={setChange} />}
      {action === 'addLabels' && <LabelFields field="add" change={change} onChange={setChange} />}
      {action === 'removeLabels' && <LabelFields field="remove" change={change} onChange={setChange} />}
      {isFinal && <p>{t.bulk.final}</p>}
      <DialogActions>
        <Button onClick={onClose}>{t.rename.cancel}</Button>
        <SubmitButton
          type="button"
          kind={action === 'delete' ? 'danger' : 'primary'}
          // Labels alone have to be chosen.
          reason={change ? undefined : reasons.missing(t.labels.title)}
          onClick={make}
        >
          {action === 'delete' ? t.remove.button : t.bulk.apply}
        </SubmitButton>
      </DialogActions>
    </Dialog>
  );
}
