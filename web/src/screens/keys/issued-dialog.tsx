import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Secret } from '../../ui/secret';
import { messages } from './messages';

/** A key with its secret, which is kept nowhere but on the screen. */
export interface Issued {
  name: string;
  key: string;
  /** Until when the key that it takes the place of is valid. */
  formerUntil?: string | undefined;
}

export function IssuedDialog({ issued, onClose }: { issued: Issued; onClose: () => void }) {
  const t = useMessages(messages);
  const { time } = useFormat();
  const { name, key, formerUntil } = issued;
  return (
    <Dialog isKept title={t.secret.title(name)} onClose={onClose}>
      <p>{t.secret.text}</p>
      <Secret label={t.secret.label} secret={key} />
      {formerUntil !== undefined && (
        <p>
          {Date.parse(formerUntil) > Date.now() ? t.secret.former(time(formerUntil)) : t.secret.formerEnded}
        </p>
      )}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t.secret.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
