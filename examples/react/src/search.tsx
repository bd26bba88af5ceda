import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from './call-error';
import { datasetIds, scope, trpc } from './lectern';

/** A question, and the chunks that answer it. */
export function Search() {
  const [query, setQuery] = useState('');
  const input = query === '' ? skipToken : { scope, datasetIds, query };
  const { data, error } = useQuery(trpc.chunks.search.queryOptions(input));
  return (
    <section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(String(new FormData(event.currentTarget).get('question')));
        }}
      >
        <label>
          Question
          <input name="question" type="search" required maxLength={1_000} />
        </label>
        <button type="submit">Ask</button>
      </form>
      <CallError error={error} />
      <div aria-live="polite">{data?.length === 0 && <p>Nothing answers that.</p>}</div>
      <ol>
        {data?.map(({ id, content, documentName }) => (
          <li key={id}>
            <p>{content}</p>
            <small>{documentName}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
