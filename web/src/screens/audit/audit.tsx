import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import { PermissionGate, usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { client, trpc } from '../../api/trpc';
import type { ViewedList } from '../../common/views/saved-views';
import { ViewsBar } from '../../common/views/view-links';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import styles from './audit.module.css';
import { AuditFilters } from './audit-filters';
import { AuditRows } from './audit-rows';
import { messages } from './messages';
import { readAuditSearch } from './search-params';
import { useKeyNames } from './use-key-names';
import { useSubjects, withNames } from './use-subjects';

const route = getRouteApi('/audit');
/** A view is the filters. */
const viewed: ViewedList = {
  name: 'audit',
  read: (search) => {
    const { page: _, ...view } = readAuditSearch(search);
    return view;
  },
};
const PAGE_SIZE = 50;
const CSV_FIELDS = [
  'time',
  'action',
  'subjectType',
  'subjectId',
  'subjectName',
  'tenantUnitId',
  'userId',
  'userName',
  'userIssuer',
  'keyId',
  'requestId',
  'address',
  'before',
  'after',
] as const;

/** Who changed what, and when. */
export function AuditScreen() {
  const t = useMessages(messages);
  return (
    <PermissionGate permission="keys:admin" title={t.title}>
      <PageHeader title={t.title} />
      <AuditFilters />
      <ViewsBar list={viewed} />
      <Events />
    </PermissionGate>
  );
}

function Events() {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId } = useScope();
  const { key, user, action, subject, since, until, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const keyNames = useKeyNames();
  const filter = {
    scope: { tenantId, tenantUnitId },
    keyId: key,
    userId: user,
    action,
    subjectId: subject,
    since,
    until,
    pageSize: PAGE_SIZE,
  };
  const list = useQuery(
    trpc.audit.list.queryOptions({ ...filter, page }, { placeholderData: keepPreviousData }),
  );
  const subjects = useSubjects(list.data?.items ?? []);
  const readsDocuments = usePermission('documents:read') === true;
  const isFiltered = Boolean(key || user || action || subject || since || until);
  const { columns } = t;
  return (
    <>
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p>{t.loading}</p>}
      {list.data && list.data.items.length > 0 && (
        <>
          <div className={styles.events}>
            <DataTable
              caption={t.title}
              columns={[columns.time, columns.action, columns.subject, columns.who, '']}
            >
              {list.data.items.map((event) => (
                <AuditRows
                  key={event.id}
                  event={event}
                  keyName={event.keyId && keyNames.get(event.keyId)}
                  subjectName={subjects.names.get(event.subjectId) ?? keyNames.get(event.subjectId)}
                  isGone={subjects.gone.has(event.subjectId)}
                />
              ))}
            </DataTable>
          </div>
          <Pager
            list={list.data}
            onPage={(wanted) =>
              navigate({ search: (now) => ({ ...now, page: wanted > 1 ? wanted : undefined }) })
            }
          >
            <CsvButton
              name="audit"
              fields={CSV_FIELDS}
              readPage={async (page, pageSize) =>
                withNames(
                  await client.audit.list.query({ ...filter, page, pageSize }),
                  tenantId,
                  readsDocuments,
                  keyNames,
                )
              }
            />
          </Pager>
        </>
      )}
      {list.data?.items.length === 0 &&
        (isFiltered ? (
          <EmptyState Icon={ScrollText} title={t.empty.filtered}>
            <Button onClick={() => navigate({ search: {} })}>{t.clear}</Button>
          </EmptyState>
        ) : (
          <EmptyState Icon={ScrollText} title={t.empty.title}>
            <p>{t.empty.text}</p>
          </EmptyState>
        ))}
    </>
  );
}
