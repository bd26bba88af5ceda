import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import { session } from '../../api/session';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ColumnsMenu, useColumns } from '../../ui/columns-menu';
import { EmptyState } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import { columns, usualColumns } from './columns';
import { MemberDialog } from './member-dialog';
import { MemberFilters } from './member-filters';
import { MemberTable } from './member-table';
import { messages } from './messages';
import { RemoveDialog } from './remove-dialog';
import { type MembersSearch, readMembersSearch } from './search-params';
import { type Member, useMembers } from './use-members';

const route = getRouteApi('/members');
const CSV_FIELDS = [
  'id',
  'userId',
  'name',
  'email',
  'issuer',
  'role',
  'createdTime',
  'lastSeenTime',
] as const;

/** The members, a page at a time, and the one that is open. */
export function MemberList() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useMembers(search);
  const [removing, setRemoving] = useState<Member>();
  const change = (changed: MembersSearch) => navigate({ search: (now) => ({ ...now, ...changed }) });
  const choose = (changed: Record<string, unknown>) =>
    navigate({
      search: (now) => ({ ...now, ...readMembersSearch({ ...now, ...changed }) }),
      replace: true,
      resetScroll: false,
    });
  const shown = useColumns('members', search.columns, columns, usualColumns);
  const isFiltered = Boolean(search.role || search.user || search.page);
  return (
    <>
      {(isFiltered || Boolean(list.data?.totalCount)) && <MemberFilters />}
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p>{t.loading}</p>}
      {list.data && list.data.items.length > 0 && (
        <>
          <MemberTable
            members={list.data.items}
            columns={shown}
            sorting={{ sort: search.sort, onSort: (sort) => choose({ sort, page: undefined }) }}
            onRemove={setRemoving}
          />
          <Pager list={list.data} onPage={(page) => change({ page: page > 1 ? page : undefined })}>
            <ColumnsMenu
              table="members"
              titles={Object.fromEntries(columns.map((column) => [column, t.columns[column]]))}
              shown={shown}
              usual={usualColumns}
              onChange={(chosen) => choose({ columns: chosen })}
            />
            <CsvButton name="members" fields={CSV_FIELDS} readPage={list.readPage} />
          </Pager>
        </>
      )}
      {list.data?.items.length === 0 &&
        (isFiltered ? (
          <EmptyState Icon={Users} title={t.empty.filtered}>
            <Button onClick={() => change({ role: undefined, user: undefined, page: undefined })}>
              {t.clear}
            </Button>
          </EmptyState>
        ) : (
          <NoMembers />
        ))}
      {search.member !== undefined && (
        <MemberDialog
          key={search.member}
          memberId={search.member}
          onClose={() => change({ member: undefined })}
        />
      )}
      {removing && (
        <RemoveDialog
          member={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            // The page of the last one is gone with it.
            if (list.data?.items.length === 1) change({ page: undefined });
          }}
        />
      )}
    </>
  );
}

/** How there come to be members. */
function NoMembers() {
  const t = useMessages(messages);
  const { data } = useQuery(session);
  return (
    <EmptyState Icon={Users} title={t.empty.title}>
      <p>{t.empty.text}</p>
      {data?.mode === 'open' && <p>{t.empty.open}</p>}
      <a href={t.empty.guidePath}>{t.empty.guide}</a>
    </EmptyState>
  );
}
