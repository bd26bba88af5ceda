import { getRouteApi, Link } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { readFailure } from '../../api/errors';
import { useMessages } from '../../language/language';
import { Id } from '../../ui/copy-id';
import { EmptyState, Notice } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { Time, TimeIn } from '../../ui/time';
import { Deliveries } from './deliveries';
import { messages } from './messages';
import { useWebhook } from './use-webhooks';
import { WebhookActions } from './webhook-actions';
import { WebhookState } from './webhook-state';
import styles from './webhooks.module.css';

const route = getRouteApi('/webhooks');

/** One webhook: what it is, what can be done with it, and what was sent. */
export function Webhook({ webhookId }: { webhookId: string }) {
  const t = useMessages(messages);
  const { data: webhook, error, refetch } = useWebhook(webhookId);
  const search = route.useSearch();
  const back = (
    <Link
      to="/webhooks"
      search={{ ...search, webhook: undefined, delivery: undefined, page: undefined }}
      className={styles.back}
    >
      {t.back}
    </Link>
  );
  const isMissing = error !== null && readFailure(error).status === 404;
  if (!webhook || isMissing) {
    return (
      <>
        <PageHeader title={t.title} />
        {back}
        {isMissing && (
          <EmptyState Icon={WebhookIcon} title={t.missing.title}>
            <p>{t.missing.text}</p>
          </EmptyState>
        )}
        {error && !isMissing && <CallError error={error} onRetry={refetch} />}
        {!error && <p>{t.loading}</p>}
      </>
    );
  }
  const { description, eventTypes, tenantUnitIds, createdTime, failures, pausedTime } = webhook;
  const { heldUntil, formerSecretUntil } = webhook;
  const isAhead = (moment: string | null) => moment !== null && Date.parse(moment) > Date.now();
  return (
    <>
      <PageHeader title={t.title} />
      {back}
      <header className={styles.head}>
        <h2>{webhook.url}</h2>
        <WebhookState webhook={webhook} />
      </header>
      {description && <p>{description}</p>}
      {webhook.enabled && pausedTime && (
        <Notice>
          <TimeIn iso={pausedTime} say={t.pausedSince} />
        </Notice>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t.facts.events}</dt>
          <dd>{eventTypes.join(', ')}</dd>
        </div>
        <div>
          <dt>{t.facts.units}</dt>
          <dd>{tenantUnitIds?.join(', ') ?? t.allUnits}</dd>
        </div>
        <div>
          <dt>{t.facts.created}</dt>
          <dd>
            <Time iso={createdTime} />
          </dd>
        </div>
        <div>
          <dt>{t.facts.id}</dt>
          <dd>
            <Id id={webhook.id} />
          </dd>
        </div>
      </dl>
      {failures > 0 && <p className={styles.soft}>{t.failures(failures)}</p>}
      {isAhead(heldUntil) && (
        <p className={styles.soft}>
          <TimeIn iso={heldUntil as string} say={t.heldUntil} />
        </p>
      )}
      {isAhead(formerSecretUntil) && (
        <p className={styles.soft}>
          <TimeIn iso={formerSecretUntil as string} say={t.formerSecret} />
        </p>
      )}
      <WebhookActions webhook={webhook} />
      <Deliveries webhook={webhook} />
    </>
  );
}
