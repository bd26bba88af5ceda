import { useId, useState } from 'react';
import { useScope } from '../../api/scope';
import { useCountText } from '../../common/use-count-text';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { Notice } from '../../ui/notice';
import { SubmitButton, useReasons } from '../../ui/submit-button';
import styles from './datasets.module.css';
import { messages } from './messages';
import { isTooLong, MAX_NAME_LENGTH, useExists, useNamingKeys } from './use-datasets';

interface RenameDialogProps {
  datasetId: string;
  onRename: (to: string) => void;
  onClose: () => void;
}

/** Gives a dataset another name; one that is taken only where the two are to be merged. */
export function RenameDialog({ datasetId, onRename, onClose }: RenameDialogProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const id = useId();
  const { tenantUnitId } = useScope();
  const [typed, setTyped] = useState(datasetId);
  const [merged, setMerged] = useState<string>();
  const name = typed.trim();
  const isChanged = name !== datasetId;
  const exists = useExists(isChanged ? name : '');
  const keys = useNamingKeys(datasetId);
  const toText = useCountText();
  const isTaken = isChanged && exists === true;
  const isMerge = isTaken && merged === name;
  const lacking =
    name === ''
      ? reasons.missing(t.renaming.label)
      : !isChanged
        ? reasons.unchanged
        : isTooLong(name)
          ? t.renaming.tooLong
          : isTaken && !isMerge
            ? t.renaming.exists(name)
            : undefined;
  const submit = () => {
    if (lacking !== undefined || exists === undefined) return;
    onRename(name);
    onClose();
  };
  return (
    <Dialog title={t.renaming.title(datasetId)} onClose={onClose}>
      <Form onSubmit={submit}>
        <TextField
          label={t.renaming.label}
          hint={t.renaming.hint}
          value={typed}
          required
          autoFocus
          maxLength={MAX_NAME_LENGTH}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        {keys && keys.count > 0 && <Notice>{t.renaming.keys(keys.count, toText(keys))}</Notice>}
        {tenantUnitId !== undefined && <p>{t.renaming.unit(tenantUnitId)}</p>}
        {isTaken && (
          <div className={styles.merge}>
            <input
              id={id}
              type="checkbox"
              checked={isMerge}
              aria-describedby={`${id}-hint`}
              onChange={() => setMerged(isMerge ? undefined : name)}
            />
            <label htmlFor={id}>{t.renaming.merge}</label>
            <p id={`${id}-hint`}>
              {t.renaming.exists(name)} {t.renaming.mergeHint}
            </p>
          </div>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton
            kind="primary"
            disabled={isChanged && exists === undefined}
            reason={lacking}
            isCompact={isTaken}
          >
            {isTaken ? t.renaming.submitMerge : t.renaming.submit}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
