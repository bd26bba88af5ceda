import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { showToast } from '../../ui/toast';
import { messages } from './messages';
import { type ApiKey, useRefreshKeys } from './use-keys';

interface RevokeDialogProps {
  apiKey: ApiKey;
  /** Whether the user is signed in with it. */
  isOwn: boolean;
  onClose: () => void;
}

/** Names the key that ends, and asks before it does. */
export function RevokeDialog({ apiKey: { id, tenantId, name }, isOwn, onClose }: RevokeDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshKeys();
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.revoke.done(name) });
        void refresh();
        onClose();
      },
    }),
  );
  return (
    <Dialog title={t.revoke.title} onClose={onClose}>
      <p>{t.revoke.text(name)}</p>
      {isOwn && <p>{t.revoke.own}</p>}
      {revoke.error && <CallError error={revoke.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.revoke.cancel}</Button>
        <Button
          kind="danger"
          disabled={revoke.isPending}
          onClick={() => revoke.mutate({ scope: { tenantId }, keyId: id })}
        >
          {t.revoke.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
