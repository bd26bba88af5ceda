import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { readIds } from '../../api/dataset-ids';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import { useReasons } from '../../ui/submit-button';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';
import { readDraft, type WebhookDraft, WebhookFields } from './webhook-fields';

interface AddDialogProps {
  /** The unit that is looked at. */
  unit: string | undefined;
  onClose: () => void;
  onAdded: (secret: string) => void;
}

/** Adds a webhook. */
export function AddDialog({ unit = '', onClose, onAdded }: AddDialogProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const { tenantId } = useScope();
  const refresh = useRefreshWebhooks();
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', description: '', eventTypes: [] });
  const [units, setUnits] = useState(unit);
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      // The secret stays in no cache.
      gcTime: 0,
      onSuccess: ({ secret }) => {
        void refresh();
        onAdded(secret);
      },
    }),
  );
  const add = () => {
    const unitIds = readIds(units);
    create.mutate({
      scope: { tenantId, tenantUnitId: unitIds.length > 0 ? unitIds : undefined },
      ...readDraft(draft),
    });
  };
  return (
    <CallDialog
      title={t.form.add}
      cancel={t.form.cancel}
      submit={t.form.submit}
      call={create}
      reason={draft.eventTypes.length === 0 ? reasons.missing(t.form.events) : undefined}
      onSubmit={add}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
      <TextField
        label={t.form.units}
        hint={t.form.unitsHint}
        value={units}
        spellCheck={false}
        onChange={(event) => setUnits(event.target.value)}
      />
    </CallDialog>
  );
}
