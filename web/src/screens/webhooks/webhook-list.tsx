import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DataTable } from '../../ui/data-table';
import { Select } from '../../ui/field';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { readSort, type Sort, SortHeading, toOrder } from '../../ui/sort-heading';
import { Switch } from '../../ui/switch';
import { AddDialog } from './add-dialog';
import type { Webhook } from './events';
import { messages } from './messages';
import { readWebhooksSearch, troubles } from './search-params';
import { useRefreshWebhooks, useWebhooks } from './use-webhooks';
import { WebhookSecret } from './webhook-secret';
import { compareStates, hasTrouble, WebhookState } from './webhook-state';
import styles from './webhooks.module.css';

const route = getRouteApi('/webhooks');
const orders = ['url', 'state'] as const;

/** Where events are sent, and whether they arrive. */
export function WebhookList() {
  const t = useMessages(messages);
  const { tenantUnitId } = useScope();
  const list = useWebhooks();
  const search = route.useSearch();
  const { trouble } = search;
  const sort = readSort(search.sort, orders);
  const navigate = route.useNavigate();
  const change = (changed: Record<string, unknown>) =>
    navigate({ search: (now) => ({ ...now, ...readWebhooksSearch({ ...now, ...changed }) }) });
  const shown = list.data
    ?.filter((webhook) => trouble === undefined || hasTrouble(webhook, trouble))
    .sort(comparisonOf(sort));
  const sorting = { sort, onSort: (wanted: string) => change({ sort: wanted }) };
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={t.title}>{list.data?.length !== 0 && add}</PageHeader>
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p>{t.loading}</p>}
      {list.data && list.data.length > 0 && (
        <div className={styles.troubles}>
          <Select
            label={t.deliveries.state}
            value={trouble ?? ''}
            options={[
              { value: '', text: t.troubles.any },
              ...troubles.map((value) => ({ value, text: t.troubles[value] })),
            ]}
            onChange={({ target }) => change({ trouble: target.value })}
          />
        </div>
      )}
      {shown && shown.length > 0 && (
        <DataTable
          caption={t.title}
          columns={[
            <SortHeading key="url" title={t.form.url} first="url" sorting={sorting} />,
            <SortHeading key="state" title={t.deliveries.state} first="-state" sorting={sorting} />,
            t.facts.events,
            t.facts.units,
            t.enabled,
          ]}
        >
          {shown.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </DataTable>
      )}
      {list.data && list.data.length > 0 && shown?.length === 0 && (
        <EmptyState Icon={WebhookIcon} title={t.troubles.none} />
      )}
      {list.data?.length === 0 && (
        <EmptyState Icon={WebhookIcon} title={t.empty.title}>
          <p>{t.empty.text}</p>
          {add}
        </EmptyState>
      )}
      {isAdding && (
        <AddDialog
          unit={tenantUnitId}
          onClose={() => setAdding(false)}
          onAdded={(made) => {
            setAdding(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

/** No order of its own where there is none in the address. */
function comparisonOf(
  sort: Sort<(typeof orders)[number]> | undefined,
): (one: Webhook, other: Webhook) => number {
  if (sort === undefined) return () => 0;
  const { order, direction } = toOrder(sort);
  const compare = order === 'state' ? compareStates : byUrl;
  return direction === 'asc' ? compare : (one, other) => compare(other, one);
}

const byUrl = (one: Webhook, other: Webhook) => one.url.localeCompare(other.url);

function Row({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const refresh = useRefreshWebhooks();
  const update = useMutation(trpc.webhooks.update.mutationOptions({ onSettled: refresh }));
  const { id: webhookId, tenantId, url, description, eventTypes, tenantUnitIds, enabled } = webhook;
  return (
    <tr>
      <Cell kind="wide">
        <Link from="/webhooks" to="/webhooks" search={(now) => ({ ...now, webhook: webhookId })}>
          {url}
        </Link>
        {description && <p className={styles.soft}>{description}</p>}
        {update.error && <CallError error={update.error} />}
      </Cell>
      <Cell label={t.deliveries.state}>
        <WebhookState webhook={webhook} />
      </Cell>
      <Cell label={t.facts.events} kind="soft">
        {eventTypes.join(', ')}
      </Cell>
      <Cell label={t.facts.units} kind="soft">
        {tenantUnitIds?.join(', ') ?? t.allUnits}
      </Cell>
      <Cell label={t.enabled}>
        <Switch
          label={t.enabledOf(url)}
          checked={update.isPending ? (update.variables.enabled ?? enabled) : enabled}
          disabled={update.isPending}
          onChange={(wanted) => update.mutate({ scope: { tenantId }, webhookId, enabled: wanted })}
        />
      </Cell>
    </tr>
  );
}
