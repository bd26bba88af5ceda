import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../api/scope';
import { session } from '../../api/session';
import { client, type Outputs, trpc } from '../../api/trpc';
import { readSort, toOrder } from '../../ui/sort-heading';
import { orders } from './columns';
import type { MembersSearch } from './search-params';

export type Member = Outputs['members']['list']['items'][number];

const PAGE_SIZE = 20;

/** A page of the members that fit the filters, and any other one. */
export function useMembers({ role, user, sort: asked, page = 1 }: MembersSearch) {
  const sort = readSort(asked, orders);
  const { tenantId } = useScope();
  const filter = { scope: { tenantId }, role, userId: user, ...(sort && toOrder(sort)), pageSize: PAGE_SIZE };
  const list = useQuery(
    trpc.members.list.queryOptions({ ...filter, page }, { placeholderData: keepPreviousData }),
  );
  return {
    ...list,
    readPage: (page: number, pageSize: number) => client.members.list.query({ ...filter, page, pageSize }),
  };
}

/** One member, also where no list that is shown has it. */
export function useMember(memberId: string) {
  const { tenantId } = useScope();
  return useQuery(trpc.members.get.queryOptions({ scope: { tenantId }, memberId }));
}

/** What each role permits, which does not change while a server runs. */
export const useRoles = () =>
  useQuery(trpc.members.roles.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));

/** Reads all that is known of members again, and what the user itself may do. */
export function useRefreshMembers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.members.list.queryKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.members.get.queryKey() }),
      queryClient.invalidateQueries({ queryKey: session.queryKey }),
    ]);
  };
}
