import { useMutation } from '@tanstack/react-query';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { useRefreshKeys } from '../../common/keys/use-refresh-keys';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import type { ApiKey } from './api-key';
import { messages } from './messages';

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
    <CallDialog
      isDangerous
      title={t.revoke.title}
      cancel={t.revoke.cancel}
      submit={t.revoke.confirm}
      call={revoke}
      onSubmit={() => revoke.mutate({ scope: { tenantId }, keyId: id })}
      onClose={onClose}
    >
      <p>{t.revoke.text(name)}</p>
      {isOwn && <p>{t.revoke.own}</p>}
    </CallDialog>
  );
}
