import { useQuery } from '@tanstack/react-query';
import { CallError } from './call-error';
import { trpc } from './lectern';

/** The newest conversations of the user's tenant, which its token names. */
export function Conversations() {
  const session = useQuery(trpc.session.get.queryOptions());
  const { data, error } = useQuery(trpc.conversations.list.queryOptions({ pageSize: 20 }));
  return (
    <section aria-live="polite">
      {session.data?.user && <h2>Tenant {session.data.user.tenantId}</h2>}
      <CallError error={session.error ?? error} />
      {data?.items.length === 0 && <p>There are no conversations yet.</p>}
      <ul>
        {data?.items.map(({ id, topic, status, createdByName, userId }) => (
          <li key={id}>
            <strong>{topic}</strong>
            <small>
              {createdByName ?? userId}, {status}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
