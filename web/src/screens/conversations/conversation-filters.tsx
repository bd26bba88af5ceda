import { getRouteApi } from '@tanstack/react-router';
import { conversationMessages } from '../../common/conversations/messages';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { FilterField } from '../../ui/filter-field';
import styles from './conversations.module.css';
import { messages } from './messages';
import { type ConversationsSearch, readConversationsSearch, statuses } from './search-params';
import { useFacets } from './use-conversations';

const route = getRouteApi('/conversations');

/** Filters of the list, which are part of the address. */
export function ConversationFilters() {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
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
          ...statuses.map((value) => ({ value, text: states.statuses[value] })),
        ]}
        onChange={(event) => filter({ state: event.target.value })}
      />
      <FilterField
        placeholder={t.any}
        label={t.agent}
        value={search.agent ?? ''}
        suggestions={(facets?.agents ?? []).map((one) => ({
          value: one.agentId,
          text: t.counted(one.count),
        }))}
        onFilter={(agent) => filter({ agent })}
      />
      <FilterField
        placeholder={t.any}
        label={t.assignment}
        value={search.assignment ?? ''}
        suggestions={(facets?.assignments ?? []).map((one) => ({
          value: one.assignmentId,
          text: t.counted(one.count),
        }))}
        onFilter={(assignment) => filter({ assignment })}
      />
    </section>
  );
}
