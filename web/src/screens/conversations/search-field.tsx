import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import styles from './conversations.module.css';
import { messages } from './messages';

const route = getRouteApi('/conversations');
const MAX_QUERY = 1_000;

/** What is searched in all conversations; the list comes back once the field is emptied. */
export function SearchField() {
  const t = useMessages(messages);
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const search = (typed: string) =>
    navigate({ search: (now) => ({ ...now, q: typed.trim() || undefined, page: undefined }) });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void search(text);
  };
  return (
    <search className={styles.search}>
      <form onSubmit={submit}>
        <TextField
          type="search"
          label={t.search.label}
          placeholder={t.search.label}
          data-question
          value={text}
          maxLength={MAX_QUERY}
          onChange={({ target: { value } }) => {
            setText(value);
            if (value === '' && q !== '') void search('');
          }}
        />
      </form>
    </search>
  );
}
