import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import styles from './conversations.module.css';
import { IdFilter } from './id-filter';
import { messages } from './messages';
import { type ConversationsSearch, readConversationsSearch, statuses } from './search-params';
import { useFacets } from './use-conversations';

const route = getRouteApi('/conversations');

/** Filters of the list, which are part of the address. */
export function ConversationFilters() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: facets } = useFacets();
  const filter = (changed: { [Name in keyof ConversationsSearch]: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readConversationsSearch({ ...now, ...changed }), page: undefined }),
    });
  return (
    <section className={styles.filters} aria-label={t.filters}>
      <Select
        label={t.status}
        value={search.state ?? ''}
        options={[
          { value: '', text: t.any },
          ...statuses.map((value) => ({ value, text: t.statuses[value] })),
        ]}
        onChange={(event) => filter({ state: event.target.value })}
      />
      <IdFilter
        label={t.agent}
        value={search.agent ?? ''}
        known={facets?.agents.map(({ agentId, count }) => ({ id: agentId, count })) ?? []}
        onFilter={(agent) => filter({ agent })}
      />
      <IdFilter
        label={t.assignment}
        value={search.assignment ?? ''}
        known={facets?.assignments.map(({ assignmentId, count }) => ({ id: assignmentId, count })) ?? []}
        onFilter={(assignment) => filter({ assignment })}
      />
    </section>
  );
}
