import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { FilterField } from '../../ui/filter-field';
import styles from './members.module.css';
import { messages } from './messages';
import { type MembersSearch, readMembersSearch, roles } from './search-params';

const route = getRouteApi('/members');

/** Filters of the list, which are part of the address. */
export function MemberFilters() {
  const t = useMessages(messages);
  const { role = '', user = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (changed: { [Name in keyof MembersSearch]: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readMembersSearch({ ...now, ...changed }), page: undefined }),
    });
  return (
    <section className={styles.filters} aria-label={t.filters}>
      <Select
        label={t.columns.role}
        value={role}
        options={[{ value: '', text: t.any }, ...roles.map((value) => ({ value, text: value }))]}
        onChange={(event) => filter({ role: event.target.value })}
      />
      <FilterField
        label={t.facts.userId}
        value={user}
        placeholder={t.any}
        suggestions={[]}
        onFilter={(value) => filter({ user: value })}
      />
    </section>
  );
}
