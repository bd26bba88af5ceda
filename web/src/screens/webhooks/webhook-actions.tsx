import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { DeleteDialog } from './delete-dialog';
import { EditDialog } from './edit-dialog';
import type { Webhook } from './events';
import { messages } from './messages';
import { RotateDialog } from './rotate-dialog';
import { useRefreshWebhooks } from './use-webhooks';
import { WebhookSecret } from './webhook-secret';
import styles from './webhooks.module.css';

const route = getRouteApi('/webhooks');

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const navigate = route.useNavigate();
  const refresh = useRefreshWebhooks();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onSettled: refresh }));
  const resume = useMutation(trpc.webhooks.resume.mutationOptions({ onSettled: refresh }));
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: () => showToast({ text: t.tested }),
      onSettled: refresh,
    }),
  );
  const { enabled, pausedTime } = webhook;
  const ref = { scope: { tenantId: webhook.tenantId }, webhookId: webhook.id };
  const failure = update.error ?? resume.error ?? test.error;
  const close = () => setOpen(undefined);
  return (
    <>
      <div className={styles.tools}>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is inside */}
        <label className={styles.enabled}>
          <Switch
            label={t.enabledOf(webhook.url)}
            checked={update.isPending ? (update.variables.enabled ?? enabled) : enabled}
            disabled={update.isPending}
            onChange={(wanted) => update.mutate({ ...ref, enabled: wanted })}
          />
          {t.enabled}
        </label>
        <Button disabled={!enabled || pausedTime !== null || test.isPending} onClick={() => test.mutate(ref)}>
          {t.test}
        </Button>
        {enabled && pausedTime && (
          <Button disabled={resume.isPending} onClick={() => resume.mutate(ref)}>
            {t.resume}
          </Button>
        )}
        <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
        <Button onClick={() => setOpen('rotate')}>{t.rotate.button}</Button>
        <Button onClick={() => setOpen('delete')}>{t.remove.button}</Button>
      </div>
      {failure && <CallError error={failure} />}
      {open === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && (
        <RotateDialog
          webhook={webhook}
          onClose={close}
          onRotated={(made) => {
            close();
            setSecret(made);
          }}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog
          webhook={webhook}
          onClose={close}
          onDeleted={async () => {
            await navigate({ search: {} });
            await refresh();
          }}
        />
      )}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
