import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Secret } from '../../ui/secret';
import { messages } from './messages';

/** The secret of a webhook, which is kept nowhere but on the screen. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useMessages(messages);
  return (
    <Dialog title={t.secret.title} onClose={onClose}>
      <p>{t.secret.text}</p>
      <Secret label={t.secret.label} secret={secret} />
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t.secret.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
