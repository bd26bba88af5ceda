import { getRouteApi, Link } from '@tanstack/react-router';
import { PermissionGate } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { PageHeader } from '../../ui/page-header';
import { TabLinks } from '../../ui/tab-links';
import { MemberList } from './member-list';
import { messages } from './messages';
import { RolesView } from './roles-view';

const route = getRouteApi('/members');

/** Who has signed in, with the roles that they are given; and what each role permits. */
export function MembersScreen() {
  const t = useMessages(messages);
  const { view } = route.useSearch();
  return (
    <PermissionGate permission="members:read" title={t.title}>
      <PageHeader title={view === 'roles' ? t.roles.title : t.title} />
      <TabLinks label={t.views}>
        <Link
          to="/members"
          search={({ tenant, unit }) => ({ tenant, unit, view: undefined })}
          activeOptions={{ explicitUndefined: true }}
          aria-current={view ? undefined : 'page'}
        >
          {t.title}
        </Link>
        <Link
          to="/members"
          search={({ tenant, unit }) => ({ tenant, unit, view: 'roles' })}
          aria-current={view === 'roles' ? 'page' : undefined}
        >
          {t.roles.title}
        </Link>
      </TabLinks>
      {view === 'roles' ? <RolesView /> : <MemberList />}
    </PermissionGate>
  );
}
