import { useQuery } from '@tanstack/react-query';
import { CallError } from './call-error';
import { scope, trpc } from './lectern';

/** The newest documents, and what became of them. */
export function Documents() {
  const { data, error } = useQuery(trpc.documents.list.queryOptions({ scope }));
  return (
    <section aria-live="polite">
      <CallError error={error} />
      {data?.items.length === 0 && <p>There are no documents yet.</p>}
      <ul>
        {data?.items.map((document) => (
          <li key={document.id}>
            {document.documentName}: {document.status}
            {document.error && `, ${document.error.message}`}
          </li>
        ))}
      </ul>
    </section>
  );
}
