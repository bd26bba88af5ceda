import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../../api/scope';
import { session } from '../../api/session';
import { client, trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { messages } from './messages';

/** Most documents at once; the others are left for the next time. */
const MAX_DOCUMENTS = 1_000;
/** Documents of one call, where the server takes so many. */
const BATCH = 100;

interface Progress {
  done: number;
  of: number;
}

/** Has the documents that failed with a code processed again, in calls of as many as the server takes. */
export function useProcessAgain(failureCode: string) {
  const t = useMessages(messages).attention;
  const format = useFormat();
  const scope = useScope();
  const queryClient = useQueryClient();
  const { data: info } = useQuery(session);
  const size = Math.min(BATCH, info?.server.maxPageSize ?? BATCH);
  const [progress, setProgress] = useState<Progress>();

  const mutation = useMutation({
    mutationFn: async () => {
      const ids = await findIds();
      for (let done = 0; done < ids.length; done += size) {
        setProgress({ done, of: ids.length });
        const documentIds = ids.slice(done, done + size);
        await client.documents.reprocessMany.mutate({ scope: { tenantId: scope.tenantId }, documentIds });
      }
      return ids.length;
    },
    onSuccess: (count) => showToast({ text: t.started(format.count(count), count) }),
    onSettled: () => {
      setProgress(undefined);
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: trpc.overview.pathKey() }),
        queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() }),
      ]);
    },
  });
  return { mutation, progress };

  /** All of them before the first is processed, since those leave the list. */
  async function findIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ids.length < MAX_DOCUMENTS; page += 1) {
      const { items, hasNextPage } = await client.documents.list.query({
        scope,
        failureCode,
        page,
        pageSize: size,
      });
      ids.push(...items.filter(({ source }) => source !== 'none').map(({ id }) => id));
      if (!hasNextPage) break;
    }
    return ids.slice(0, MAX_DOCUMENTS);
  }
}
