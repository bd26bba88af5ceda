/*
 * What a React front end writes against the packed types. It is compiled, never run: a type that is not as it says here
 * is an error of the compiler.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from 'lectern/routers';

/** Fails to compile unless both are the same, and neither is `any` alone. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function assert<_T extends true>(): void;

type Status = 'created' | 'processing' | 'ready' | 'failed' | 'unknown';
type Detail = { type: string; loc: (string | number)[]; msg: string };

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();
const scope = { tenantId: 'acme', tenantUnitId: 'legal' };

export function useDocuments(): [name: string, status: Status][] {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.documents.list.queryOptions({ scope }));
  const items = data?.items ?? [];
  type Item = (typeof items)[number];
  assert<Equal<Item['status'], Status>>();
  assert<Equal<Item['createdTime'], string>>();
  assert<Equal<Item['documentName'], string | null>>();
  const detail = error?.data?.detail;
  assert<Equal<typeof detail, Detail[] | undefined>>();
  // @ts-expect-error no such field
  data?.documents;
  return items.map(({ documentName, status }) => [documentName ?? '', status]);
}

export function useSetStatus(conversationId: string) {
  const trpc = useTRPC();
  const { mutate, data } = useMutation(trpc.conversations.setStatus.mutationOptions());
  // Absent for keys that may not read.
  assert<Equal<NonNullable<typeof data>['topic'], string | null | undefined>>();
  // @ts-expect-error no such status
  const fallAsleep = () => mutate({ scope, conversationId, status: 'asleep' });
  const succeed = () => mutate({ scope, conversationId, status: 'succeeded' });
  return { fallAsleep, succeed };
}

export function useHits(query: string): string[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.chunks.search.queryOptions({ scope, datasetIds: ['contracts'], query }));
  assert<Equal<NonNullable<typeof data>[number]['content'], string>>();
  return data?.map(({ content }) => content) ?? [];
}
