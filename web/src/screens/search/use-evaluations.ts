import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../api/scope';
import { client, type Inputs, type Outputs, trpc } from '../../api/trpc';

export type Question = Outputs['evaluations']['saveQuestion'];
export type Run = Outputs['evaluations']['runs'][number];
export type RunResult = Outputs['evaluations']['run'];
type UnitScope = Inputs['evaluations']['list']['scope'];

const PAGE_SIZE = 100;

/** Tenant and unit of judged collections; undefined while the address names no unit. */
export function useUnitScope(): UnitScope | undefined {
  const { tenantId, tenantUnitId } = useScope();
  return tenantUnitId === undefined ? undefined : { tenantId, tenantUnitId };
}

/** The judged collections of the unit. */
export function useCollections() {
  const scope = useUnitScope();
  return useQuery(trpc.evaluations.list.queryOptions(scope ? { scope } : skipToken));
}

/** All questions of a collection: there are few. */
export function useQuestions(collection: string | undefined) {
  const scope = useUnitScope();
  return useQuery({
    queryKey: [...trpc.evaluations.questions.pathKey(), { scope, collection }],
    queryFn:
      scope && collection !== undefined
        ? async ({ signal }): Promise<Question[]> => {
            const questions: Question[] = [];
            for (let page = 1; ; page++) {
              const filter = { scope, collection, page, pageSize: PAGE_SIZE };
              const { items, hasNextPage } = await client.evaluations.questions.query(filter, { signal });
              questions.push(...items);
              if (!hasNextPage) return questions;
            }
          }
        : skipToken,
  });
}

/** Writes and runs; what is shown of collections is read again afterwards. */
export function useEvaluationCalls() {
  const queryClient = useQueryClient();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: trpc.evaluations.pathKey() });
  return {
    save: useMutation(trpc.evaluations.saveQuestion.mutationOptions({ onSuccess })),
    remove: useMutation(trpc.evaluations.removeQuestion.mutationOptions({ onSuccess })),
    run: useMutation(trpc.evaluations.run.mutationOptions({ onSuccess })),
  };
}
