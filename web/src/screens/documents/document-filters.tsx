import { getRouteApi } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import { DatasetField } from '../../api/dataset-field';
import { documentMessages } from '../../common/documents/messages';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { MoreFilters } from '../../ui/more-filters';
import { useTypedFilter } from '../../ui/use-typed-filter';
import styles from './documents.module.css';
import { messages } from './messages';
import { NameField } from './name-field';
import {
  type DocumentsSearch,
  orders,
  readDocumentsSearch,
  statuses,
  types,
  WITH_WARNINGS,
} from './search-params';

const route = getRouteApi('/documents');

/** Filters of the list, which are part of the address. */
export function DocumentFilters() {
  const t = useMessages(messages);
  const states = useMessages(documentMessages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (changed: { [Name in keyof DocumentsSearch]: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readDocumentsSearch({ ...now, ...changed }), row: undefined }),
    });
  const [name, setName, applyName] = useTypedFilter(search.name, (value) => filter({ name: value }));
  const [dataset, setDataset, applyDataset] = useTypedFilter(search.dataset, (value) =>
    filter({ dataset: value }),
  );
  const apply = (event: SyntheticEvent) => {
    event.preventDefault();
    applyName();
    applyDataset();
  };
  return (
    <form className={styles.filters} aria-label={t.filters} onSubmit={apply}>
      <NameField value={name} onValue={setName} dataset={search.dataset} />
      <MoreFilters values={[search.status, search.reason, search.type, search.dataset, search.order]}>
        <Select
          label={t.status}
          value={search.status ?? ''}
          options={[
            { value: '', text: t.any },
            ...statuses.map((value) => ({ value, text: states.statuses[value] })),
            { value: WITH_WARNINGS, text: t.withWarnings },
          ]}
          onChange={(event) => filter({ status: event.target.value })}
        />
        {search.status === 'failed' && (
          <Select
            label={t.reason}
            value={search.reason ?? ''}
            options={[
              { value: '', text: t.any },
              ...reasonsWith(search.reason, states.failures).map((value) => ({
                value,
                text: toTitle(states.failures[value] ?? value),
              })),
            ]}
            onChange={(event) => filter({ reason: event.target.value })}
          />
        )}
        <Select
          label={t.source}
          value={search.type ?? ''}
          options={[{ value: '', text: t.any }, ...types.map((value) => ({ value, text: t.types[value] }))]}
          onChange={(event) => filter({ type: event.target.value })}
        />
        <DatasetField
          label={t.dataset}
          value={dataset}
          placeholder={t.any}
          maxLength={255}
          onValue={setDataset}
        />
        <Select
          label={t.order.label}
          value={search.order ?? ''}
          options={[
            { value: '', text: t.order.recent },
            ...orders.map((value) => ({ value, text: t.order[value] })),
          ]}
          onChange={(event) => filter({ order: event.target.value })}
        />
      </MoreFilters>
    </form>
  );
}

/** Those that are known, and that of the address, which may be of a newer server. */
const reasonsWith = (reason: string | undefined, known: Record<string, string>): string[] => [
  ...new Set([...Object.keys(known), ...(reason === undefined ? [] : [reason])]),
];

const toTitle = (reason: string) => reason.charAt(0).toUpperCase() + reason.slice(1);
