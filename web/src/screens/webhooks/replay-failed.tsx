import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { showToast } from '../../ui/toast';
import type { Webhook } from './events';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';

const HOUR_MS = 3_600_000;
const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };
type Period = keyof typeof PERIODS;
const periods = Object.keys(PERIODS) as Period[];

/** Sends again what failed since a time. */
export function ReplayFailed({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const refresh = useRefreshWebhooks();
  const [period, setPeriod] = useState<Period>('day');
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({
      onSuccess: ({ replayed }) => showToast({ text: t.deliveries.replayed(replayed) }),
      onSettled: refresh,
    }),
  );
  return (
    <>
      <Select
        label={t.deliveries.since}
        value={period}
        options={periods.map((value) => ({ value, text: t.deliveries.periods[value] }))}
        onChange={(event) => setPeriod(event.target.value as Period)}
      />
      <Button
        disabled={replay.isPending}
        onClick={() =>
          replay.mutate({
            scope: { tenantId: webhook.tenantId },
            webhookId: webhook.id,
            failedSince: new Date(Date.now() - PERIODS[period]).toISOString(),
          })
        }
      >
        {t.deliveries.replayFailed}
      </Button>
      {replay.error && <CallError error={replay.error} />}
    </>
  );
}
