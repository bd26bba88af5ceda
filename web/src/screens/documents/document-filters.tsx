import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import styles from './documents.module.css';
import { messages } from './messages';
import { type DocumentsSearch, readDocumentsSearch, statuses, types } from './search-params';

const route = getRouteApi('/documents');

/** Filters of the list, which are part of the address. */
export function DocumentFilters() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [dataset, setDataset] = useState(search.dataset ?? '');
  useEffect(() => setDataset(search.dataset ?? ''), [search.dataset]);

  const filter = (changed: { [Name in keyof DocumentsSearch]: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readDocumentsSearch({ ...now, ...changed }), page: undefined }),
    });
  const filterByDataset = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (dataset.trim() !== (search.dataset ?? '')) filter({ dataset: dataset.trim() });
  };
  return (
    <form className={styles.filters} aria-label={t.filters} onSubmit={filterByDataset}>
      <Select
        label={t.status}
        value={search.status ?? ''}
        options={[
          { value: '', text: t.any },
          ...statuses.map((value) => ({ value, text: t.statuses[value] })),
        ]}
        onChange={(event) => filter({ status: event.target.value })}
      />
      <Select
        label={t.type}
        value={search.type ?? ''}
        options={[{ value: '', text: t.any }, ...types.map((value) => ({ value, text: t.types[value] }))]}
        onChange={(event) => filter({ type: event.target.value })}
      />
      <TextField
        label={t.dataset}
        value={dataset}
        placeholder={t.any}
        maxLength={255}
        spellCheck={false}
        onChange={(event) => setDataset(event.target.value)}
        onBlur={() => filterByDataset()}
      />
    </form>
  );
}
