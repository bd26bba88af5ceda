import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, type Outputs, trpc } from '../../api/trpc';
import { useUnitScope } from './use-evaluations';

export type Synonyms = Outputs['search']['saveSynonyms'];

const PAGE_SIZE = 100;

/** All synonyms of the unit: at most a thousand. */
export function useSynonyms() {
  const scope = useUnitScope();
  return useQuery({
    queryKey: [...trpc.search.synonyms.pathKey(), { scope }],
    queryFn: scope
      ? async ({ signal }): Promise<Synonyms[]> => {
          const all: Synonyms[] = [];
          for (let page = 1; ; page++) {
            const filter = { scope, page, pageSize: PAGE_SIZE };
            const { items, hasNextPage } = await client.search.synonyms.query(filter, { signal });
            all.push(...items);
            if (!hasNextPage) return all;
          }
        }
      : skipToken,
  });
}

/** Writes; what searches find is read again afterwards. */
export function useSynonymCalls() {
  const queryClient = useQueryClient();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: trpc.search.pathKey() });
  return {
    save: useMutation(trpc.search.saveSynonyms.mutationOptions({ onSuccess })),
    remove: useMutation(trpc.search.removeSynonyms.mutationOptions({ onSuccess })),
    load: useMutation(trpc.search.importSynonyms.mutationOptions({ onSuccess })),
  };
}
