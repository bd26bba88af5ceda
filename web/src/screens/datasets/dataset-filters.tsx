import { getRouteApi } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import { useTypedFilter } from '../../ui/use-typed-filter';
import { columns, sortOf } from './columns';
import styles from './datasets.module.css';
import { messages } from './messages';
import { MAX_NAME_PART, readDatasetsSearch } from './search-params';

const route = getRouteApi('/datasets');

/** The filter by name, which is part of the address; and the order, where no titles of columns are shown. */
export function DatasetFilters() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const { name = '' } = search;
  const navigate = route.useNavigate();
  const change = (changed: { name?: string; sort?: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readDatasetsSearch({ ...now, ...changed }), page: undefined }),
      replace: true,
    });
  const [typed, setTyped, applyName] = useTypedFilter(name, (value) => change({ name: value }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    applyName();
  };
  return (
    <form className={styles.filters} aria-label={t.filters} onSubmit={submit}>
      <TextField
        type="search"
        label={t.find}
        placeholder={t.any}
        value={typed}
        maxLength={MAX_NAME_PART}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles.order}>
        <Select
          label={t.sortBy}
          value={sortOf(search)}
          options={columns
            .flatMap((column) => [column, `-${column}` as const])
            .map((value) => ({ value, text: t.orders[value] }))}
          onChange={(event) => change({ sort: event.target.value })}
        />
      </div>
    </form>
  );
}
