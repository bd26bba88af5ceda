import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
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
    <CallDialog
      title={t.rotate.title}
      cancel={t.rotate.cancel}
      submit={t.rotate.confirm}
      call={rotate}
      onSubmit={() =>
        rotate.mutate({
          scope: { tenantId: webhook.tenantId },
          webhookId: webhook.id,
          overlapSeconds: Number(overlap),
        })
      }
      onClose={onClose}
    >
      <p>{t.rotate.text(webhook.url)}</p>
      <Select
        label={t.rotate.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, text: t.rotate.overlaps[value] }))}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </CallDialog>
  );
}
