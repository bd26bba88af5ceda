import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import styles from './datasets.module.css';
import { messages } from './messages';
import { MAX_NAME_PART, orders, readDatasetsSearch } from './search-params';

const route = getRouteApi('/datasets');
/** After the last key, before the server is asked. */
const TYPING_MS = 300;

/** The filter by name, which is part of the address; and the order, where no titles of columns are shown. */
export function DatasetFilters() {
  const t = useMessages(messages);
  const { name = '', sort = 'name' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const change = (changed: { name?: string; sort?: string }) =>
    navigate({
      search: (now) => ({ ...now, ...readDatasetsSearch({ ...now, ...changed }), page: undefined }),
      replace: true,
    });
  const isApplied = typed.trim() === name;
  const apply = useEffectEvent(() => void change({ name: typed.trim() }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key begins the time anew
  useEffect(() => {
    if (isApplied) return;
    const timer = setTimeout(() => apply(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, isApplied]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isApplied) void change({ name: typed.trim() });
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
          value={sort}
          options={orders.map((value) => ({ value, text: t.orders[value] }))}
          onChange={(event) => change({ sort: event.target.value })}
        />
      </div>
    </form>
  );
}
