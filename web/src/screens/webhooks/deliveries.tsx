import { getRouteApi } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import { client } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { DataTable } from '../../ui/data-table';
import { Select } from '../../ui/field';
import { EmptyState } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import { DeliveryRows } from './delivery-rows';
import type { Delivery, Webhook } from './events';
import { messages } from './messages';
import { ReplayFailed } from './replay-failed';
import { deliveryStates } from './search-params';
import { useDeliveries } from './use-webhooks';
import styles from './webhooks.module.css';

const route = getRouteApi('/webhooks');
const CSV_FIELDS = [
  'id',
  'eventId',
  'eventType',
  'state',
  'attempts',
  'createdTime',
  'deliveredTime',
  'nextAttemptTime',
  'lastStatus',
  'lastError',
  'payload',
] as const;

/** What was sent to a webhook, or is about to be. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useMessages(messages);
  const { columns, states } = t.deliveries;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useDeliveries(webhook.id, search);
  const filter = (delivery: Delivery['state'] | undefined) =>
    navigate({ search: (now) => ({ ...now, delivery, page: undefined }) });
  const setPage = (page: number) =>
    navigate({ search: (now) => ({ ...now, page: page > 1 ? page : undefined }) });
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <div className={styles.deliveriesHead}>
        <h2 id="deliveries">{t.deliveries.title}</h2>
        <div className={styles.tools}>
          <Select
            label={t.deliveries.state}
            value={search.delivery ?? ''}
            options={[
              { value: '', text: t.deliveries.any },
              ...deliveryStates.map((value) => ({ value, text: states[value] })),
            ]}
            onChange={(event) => filter(deliveryStates.find((state) => state === event.target.value))}
          />
          <ReplayFailed webhook={webhook} />
        </div>
      </div>
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.data && list.data.items.length > 0 && (
        <>
          <DataTable
            caption={t.deliveries.title}
            columns={[columns.event, columns.state, columns.attempts, columns.created, columns.response, '']}
          >
            {list.data.items.map((delivery) => (
              <DeliveryRows key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </DataTable>
          <Pager list={list.data} onPage={setPage}>
            <CsvButton
              name="deliveries"
              fields={CSV_FIELDS}
              readPage={(page, pageSize) =>
                client.webhooks.deliveries.query({
                  scope: { tenantId: webhook.tenantId },
                  webhookId: webhook.id,
                  state: search.delivery,
                  page,
                  pageSize,
                })
              }
            />
          </Pager>
        </>
      )}
      {list.data?.items.length === 0 && (
        <EmptyState Icon={Send} title={search.delivery ? t.deliveries.filtered : t.deliveries.empty} />
      )}
    </section>
  );
}
