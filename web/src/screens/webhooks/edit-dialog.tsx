import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { useReasons } from '../../ui/submit-button';
import { showToast } from '../../ui/toast';
import type { Webhook } from './events';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';
import { readDraft, type WebhookDraft, WebhookFields } from './webhook-fields';

/** Changes where a webhook is sent, and what. */
export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const refresh = useRefreshWebhooks();
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook.url,
    description: webhook.description ?? '',
    eventTypes: webhook.eventTypes,
  });
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.form.saved });
        void refresh();
        onClose();
      },
    }),
  );
  const save = () =>
    update.mutate({
      scope: { tenantId: webhook.tenantId },
      webhookId: webhook.id,
      ...readDraft(draft),
    });
  return (
    <CallDialog
      title={t.form.edit}
      cancel={t.form.cancel}
      submit={t.form.submit}
      call={update}
      reason={draft.eventTypes.length === 0 ? reasons.missing(t.form.events) : undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
    </CallDialog>
  );
}
