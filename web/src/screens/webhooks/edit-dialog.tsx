import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import type { Webhook } from './events';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';
import { type WebhookDraft, WebhookFields } from './webhook-fields';
import styles from './webhooks.module.css';

/** Changes where a webhook is sent, and what. */
export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useMessages(messages);
  const refresh = useRefreshWebhooks();
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook.url,
    description: webhook.description ?? '',
    eventTypes: webhook.eventTypes,
  });
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: () => {
        void refresh();
        onClose();
      },
    }),
  );
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    update.mutate({
      scope: { tenantId: webhook.tenantId },
      webhookId: webhook.id,
      url: draft.url.trim(),
      description: draft.description.trim() || null,
      eventTypes: draft.eventTypes,
    });
  };
  return (
    <Dialog title={t.form.edit} onClose={onClose}>
      <form className={styles.form} onSubmit={save}>
        <WebhookFields draft={draft} onChange={setDraft} />
        {update.error && <CallError error={update.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t.form.cancel}</Button>
          <Button type="submit" kind="primary" disabled={update.isPending || draft.eventTypes.length === 0}>
            {t.form.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
