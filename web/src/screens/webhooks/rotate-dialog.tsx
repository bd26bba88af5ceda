import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Select } from '../../ui/field';
import type { Webhook } from './events';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';

/** In seconds. */
const OVERLAPS = ['0', '3600', '86400', '604800'] as const;

interface RotateDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onRotated: (secret: string) => void;
}

/** Makes a new secret, after asking how long the former one also signs. */
export function RotateDialog({ webhook, onClose, onRotated }: RotateDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshWebhooks();
  const [overlap, setOverlap] = useState<string>('86400');
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      // The secret stays in no cache.
      gcTime: 0,
      onSuccess: ({ secret }) => {
        void refresh();
        onRotated(secret);
      },
    }),
  );
  return (
    <Dialog title={t.rotate.title} onClose={onClose}>
      <p>{t.rotate.text(webhook.url)}</p>
      <Select
        label={t.rotate.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, text: t.rotate.overlaps[value] }))}
        onChange={(event) => setOverlap(event.target.value)}
      />
      {rotate.error && <CallError error={rotate.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.rotate.cancel}</Button>
        <Button
          kind="primary"
          disabled={rotate.isPending}
          onClick={() =>
            rotate.mutate({
              scope: { tenantId: webhook.tenantId },
              webhookId: webhook.id,
              overlapSeconds: Number(overlap),
            })
          }
        >
          {t.rotate.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
