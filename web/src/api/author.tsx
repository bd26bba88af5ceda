import { skipToken, useQuery } from '@tanstack/react-query';
import { Person } from '../ui/person';
import { useScope } from './scope';
import { callerOf, session } from './session';
import { trpc } from './trpc';

const STALE_MS = 60_000;
/** Users of two issuers may have one id. */
const MAX_NAMESAKES = 5;

/** Who did something: the member with this id by name, where the user may read members; otherwise the id. */
export function Author({ userId }: { userId: string }) {
  return <Person userId={userId} {...useMember(userId)} />;
}

function useMember(userId: string): { name?: string | null; issuer?: string } {
  const { tenantId } = useScope();
  const { data: asking } = useQuery(session);
  const own = callerOf(asking);
  const mayRead =
    own?.scopes.includes('members:read') && own.tenantUnitIds === null && own.tenantId === tenantId;
  const { data } = useQuery(
    trpc.members.list.queryOptions(
      mayRead ? { scope: { tenantId }, userId, pageSize: MAX_NAMESAKES } : skipToken,
      { staleTime: STALE_MS, retry: false },
    ),
  );
  const [first, ...others] = data?.items ?? [];
  if (!first || others.some(({ name }) => name !== first.name)) return {};
  return others.length > 0 ? { name: first.name } : { name: first.name, issuer: first.issuer };
}
