import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Id } from '../../ui/copy-id';
import { Cell, DetailRow } from '../../ui/data-table';
import { JsonBlock } from '../../ui/json-block';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import type { Delivery, Webhook } from './events';
import { messages } from './messages';
import { useRefreshWebhooks } from './use-webhooks';
import styles from './webhooks.module.css';

const TONES: Record<Delivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };

/** A delivery, and below it the body, where that is unfolded. */
export function DeliveryRows({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const t = useMessages(messages);
  const { columns, states } = t.deliveries;
  const { count } = useFormat();
  const refresh = useRefreshWebhooks();
  const [isOpen, setOpen] = useState(false);
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({
      onSuccess: ({ replayed }) => showToast({ text: t.deliveries.replayed(replayed) }),
      onSettled: refresh,
    }),
  );
  const { id, eventId, eventType, state, attempts, createdTime, lastStatus, lastError } = delivery;
  const { nextAttemptTime, deliveredTime } = delivery;
  return (
    <>
      <tr>
        <Cell kind="wide">
          <code>{eventType}</code>
          {replay.error && <CallError error={replay.error} />}
        </Cell>
        <Cell label={columns.state}>
          <Badge tone={TONES[state]}>{states[state]}</Badge>
          {nextAttemptTime && attempts > 0 && Date.parse(nextAttemptTime) > Date.now() && (
            <p className={styles.soft}>
              {t.deliveries.retried} <Time iso={nextAttemptTime} />
            </p>
          )}
          {deliveredTime && (
            <p className={styles.soft}>
              {t.deliveries.delivered} <Time iso={deliveredTime} />
            </p>
          )}
        </Cell>
        <Cell label={columns.attempts}>{count(attempts)}</Cell>
        <Cell label={columns.created} kind="soft">
          <Time iso={createdTime} />
        </Cell>
        <Cell label={columns.response} kind="soft">
          {lastStatus !== null && <p>{t.deliveries.status(lastStatus)}</p>}
          {lastError && (
            <p className={styles.reason} lang="en">
              {lastError}
            </p>
          )}
          {lastStatus === null && !lastError && t.deliveries.noResponse}
        </Cell>
        <Cell kind="actions">
          <Button
            kind="quiet"
            size="small"
            aria-expanded={isOpen}
            aria-label={isOpen ? t.deliveries.hideOf(eventId) : t.deliveries.bodyOf(eventId)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t.deliveries.hide : t.deliveries.body}
          </Button>{' '}
          <Button
            size="small"
            aria-label={t.deliveries.replayOf(eventId)}
            disabled={replay.isPending}
            onClick={() =>
              replay.mutate({ scope: { tenantId: webhook.tenantId }, webhookId: webhook.id, deliveryId: id })
            }
          >
            {t.deliveries.replay}
          </Button>
        </Cell>
      </tr>
      {isOpen && (
        <DetailRow columns={6}>
          <p className={styles.soft}>
            {t.deliveries.eventId} <Id id={eventId} of={eventType} />
          </p>
          <JsonBlock value={delivery.payload} />
        </DetailRow>
      )}
    </>
  );
}
