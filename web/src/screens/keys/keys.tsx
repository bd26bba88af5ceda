import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import { PermissionGate } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { callerOf, session } from '../../api/session';
import { client, trpc } from '../../api/trpc';
import { MakeDialog } from '../../common/keys/make-dialog';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ColumnsMenu, useColumns } from '../../ui/columns-menu';
import { Select } from '../../ui/field';
import { EmptyState, Notice } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { readSort, toOrder } from '../../ui/sort-heading';
import { columns, orders, usualColumns } from './columns';
import { type Issued, IssuedDialog } from './issued-dialog';
import { KeyTable } from './key-table';
import styles from './keys.module.css';
import { messages } from './messages';
import { expiries, readKeysSearch } from './search-params';

const route = getRouteApi('/keys');
const PAGE_SIZE = 20;
const CSV_FIELDS = [
  'id',
  'name',
  'status',
  'tenantUnitIds',
  'scopes',
  'createdTime',
  'lastUsedTime',
  'expiresTime',
] as const;

/** Lists API keys, makes, rotates and revokes them. */
export function KeysScreen() {
  const t = useMessages(messages);
  return (
    <PermissionGate permission="keys:admin" title={t.title}>
      <Keys />
    </PermissionGate>
  );
}

function Keys() {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId } = useScope();
  const search = route.useSearch();
  const { expiry, page = 1, make: isMaking = false } = search;
  const sort = readSort(search.sort, orders);
  const navigate = route.useNavigate();
  const change = (changed: Record<string, unknown>, options = {}) =>
    navigate({
      ...options,
      search: (now) => ({ ...now, ...readKeysSearch({ ...now, page: undefined, ...changed }) }),
    });
  const shown = useColumns('keys', search.columns, columns, usualColumns);
  const setMaking = (isWanted: boolean) =>
    navigate({ search: (now) => ({ ...now, make: isWanted || undefined }), replace: true });
  const [issued, setIssued] = useState<Issued>();
  const { data: asking } = useQuery(session);
  const filter = { scope: { tenantId }, expiry, ...(sort && toOrder(sort)), pageSize: PAGE_SIZE };
  const list = useQuery(
    trpc.apiKeys.list.queryOptions({ ...filter, page }, { placeholderData: keepPreviousData }),
  );
  const isEmpty = list.data?.totalCount === 0 && expiry === undefined;
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      <Plus />
      {t.make}
    </Button>
  );
  return (
    <>
      <PageHeader title={t.title}>{!isEmpty && make}</PageHeader>
      {asking?.mode === 'open' && !isEmpty && <Notice>{t.open}</Notice>}
      {(expiry !== undefined || (list.data?.totalCount ?? 0) > 0) && (
        <div className={styles.filters}>
          <Select
            label={t.columns.expires}
            value={expiry ?? ''}
            options={[
              { value: '', text: t.expiry.any },
              ...expiries.map((value) => ({ value, text: t.expiry[value] })),
            ]}
            onChange={({ target }) => change({ expiry: target.value })}
          />
        </div>
      )}
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p>{t.loading}</p>}
      {list.data && list.data.items.length > 0 && (
        <>
          <KeyTable
            keys={list.data.items}
            columns={shown}
            sorting={{ sort, onSort: (wanted) => change({ sort: wanted }) }}
            ownId={asking?.key?.id}
            onIssued={setIssued}
          />
          <Pager
            list={list.data}
            onPage={(wanted) =>
              navigate({ search: (now) => ({ ...now, page: wanted > 1 ? wanted : undefined }) })
            }
          >
            <ColumnsMenu
              table="keys"
              titles={Object.fromEntries(columns.map((column) => [column, t.columns[column]]))}
              shown={shown}
              usual={usualColumns}
              onChange={(chosen) => change({ columns: chosen, page }, { replace: true, resetScroll: false })}
            />
            <CsvButton
              name="keys"
              fields={CSV_FIELDS}
              readPage={(page, pageSize) => client.apiKeys.list.query({ ...filter, page, pageSize })}
            />
          </Pager>
        </>
      )}
      {list.data?.totalCount === 0 && expiry !== undefined && (
        <EmptyState Icon={KeyRound} title={t.expiry.none} />
      )}
      {isEmpty && (
        <EmptyState Icon={KeyRound} title={t.empty.title}>
          <p>{asking?.mode === 'open' ? t.open : t.empty.required}</p>
          {make}
        </EmptyState>
      )}
      {isMaking && (
        <MakeDialog
          unit={tenantUnitId}
          own={callerOf(asking)}
          onClose={() => setMaking(false)}
          onIssued={(made) => {
            setMaking(false);
            setIssued({ name: made.name, key: made.key, reach: made });
          }}
        />
      )}
      {issued && <IssuedDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}
