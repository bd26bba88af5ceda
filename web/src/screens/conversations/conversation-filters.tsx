import { getRouteApi } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { conversationMessages } from '../../common/conversations/messages';
import { SaveView } from '../../common/views/save-view';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { FilterField } from '../../ui/filter-field';
import styles from './conversations.module.css';
import { DayFilter } from './day-filter';
import { LabelFilter } from './labels/label-filter';
import { messages } from './messages';
import { type Filters, feedbacks, readFilters, statuses } from './search-params';
import { useFacets } from './use-conversations';
import { viewed } from './viewed';

const route = getRouteApi('/conversations');

/** Filters of the list, which are part of the address. */
export function ConversationFilters() {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const id = useId();
  const seldom = [search.agent, search.assignment, search.user, search.feedback, search.from, search.to];
  const used = seldom.filter((value) => value !== undefined).length;
  const [isOpen, setOpen] = useState(used > 0);
  const filter = (changed: { [Name in keyof Filters]: string }) =>
    navigate({ search: (now) => ({ ...now, ...readFilters({ ...now, ...changed }), page: undefined }) });
  const label = isOpen ? t.fewerFilters : t.moreFilters(used);
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
      <LabelFilter value={search.labels} onFilter={(labels) => filter({ labels })} />
      <Button title={label} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal />
        <span className="unseen">{label}</span>
        {used > 0 && <span aria-hidden="true">{used}</span>}
      </Button>
      <div id={id} className={styles.seldomFilters} hidden={!isOpen}>
        <SeldomFilters search={search} filter={filter} />
      </div>
      <div className={styles.saveView}>
        <SaveView list={viewed} />
      </div>
    </section>
  );
}

interface SeldomFiltersProps {
  search: Filters;
  filter: (changed: { [Name in keyof Filters]: string }) => void;
}

/** Those that are folded away until they are needed. */
function SeldomFilters({ search, filter }: SeldomFiltersProps) {
  const t = useMessages(messages);
  const { data: facets } = useFacets();
  return (
    <>
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
      <div className={styles.wideFilter}>
        <FilterField
          placeholder={t.any}
          label={t.userId}
          value={search.user ?? ''}
          suggestions={[]}
          onFilter={(user) => filter({ user })}
        />
      </div>
      <div className={styles.wideFilter}>
        <Select
          label={t.feedback.filter}
          value={search.feedback ?? ''}
          options={[
            { value: '', text: t.any },
            ...feedbacks.map((value) => ({ value, text: t.feedback[value] })),
          ]}
          onChange={(event) => filter({ feedback: event.target.value })}
        />
      </div>
      <DayFilter label={t.from} value={search.from} onFilter={(from) => filter({ from })} />
      <DayFilter label={t.to} value={search.to} onFilter={(to) => filter({ to })} />
    </>
  );
}
