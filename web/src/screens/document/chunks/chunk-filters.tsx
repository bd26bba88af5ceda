import { getRouteApi } from '@tanstack/react-router';
import type { SyntheticEvent } from 'react';
import { useMessages } from '../../../language/language';
import { Select, TextField } from '../../../ui/field';
import { useTypedFilter } from '../../../ui/use-typed-filter';
import styles from '../document.module.css';
import { messages } from '../messages';
import { type DocumentSearch, readDocumentSearch, statuses } from '../search-params';

const route = getRouteApi('/documents/$documentId');

/** Filters of the chunks, which are part of the address. */
export function ChunkFilters() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (changed: { [Name in keyof DocumentSearch]: string }) =>
    navigate({
      search: (now) => ({
        ...now,
        ...readDocumentSearch({ ...now, ...changed }),
        page: undefined,
        chunk: undefined,
      }),
    });
  const [text, setText, applyText] = useTypedFilter(search.text, (value) => filter({ text: value }));
  const apply = (event: SyntheticEvent) => {
    event.preventDefault();
    applyText();
  };
  return (
    <form className={styles.filters} aria-label={t.filters.label} onSubmit={apply}>
      <TextField
        label={t.filters.text}
        type="search"
        value={text}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label={t.filters.status}
        value={search.chunkStatus ?? ''}
        options={[
          { value: '', text: t.filters.any },
          ...statuses.map((value) => ({ value, text: t.chunkStatuses[value] })),
        ]}
        onChange={(event) => filter({ chunkStatus: event.target.value })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.edited === 'yes'}
          onChange={(event) => filter({ edited: event.target.checked ? 'yes' : '' })}
        />
        {t.filters.edited}
      </label>
    </form>
  );
}
