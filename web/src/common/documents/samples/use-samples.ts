import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useScope } from '../../../api/scope';
import { session } from '../../../api/session';
import { client, trpc } from '../../../api/trpc';
import { useLanguage, useMessages } from '../../../language/language';
import { showToast } from '../../../ui/toast';
import { documentMessages } from '../messages';
import { QUESTIONS, SAMPLES } from './samples';

const DATASET = 'samples';
const MAX_SECONDS = 60;

/** Adds documents to try, and says when they are found. */
export function useSamples() {
  const t = useMessages(documentMessages);
  const { language } = useLanguage();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  /** Lists, and the numbers of the overview. */
  const refresh = async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.overview.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.reach.pathKey() }),
    ]);
  };
  const { tenantId, tenantUnitId } = useScope();
  const { data: info } = useQuery(session);
  const unit = tenantUnitId ?? info?.server.defaultTenantUnit.tenantUnitId ?? 'default';
  return useMutation({
    mutationFn: async () => {
      const scope = { tenantId, tenantUnitId: unit };
      const { created } = await client.documents.createMany.mutate({
        scope,
        documentType: 'UnstructuredFile',
        datasetIds: [DATASET],
        documents: SAMPLES.map(({ name, text }) => ({ documentName: name, documentContent: text })),
      });
      await refresh();
      const waits = created.map(({ id: documentId }) =>
        client.documents.waitUntilSearchable.query({ scope, documentId, seconds: MAX_SECONDS }),
      );
      return (await Promise.all(waits)).every(({ searchable }) => searchable);
    },
    onSuccess: (isFound) => {
      if (!isFound) return;
      const search = {
        tenant: tenantId,
        unit,
        datasets: DATASET,
        q: QUESTIONS[language],
        ...(language === 'zh' && { language: 'chinese' as const }),
      };
      const run = () => void navigate({ to: '/search', search });
      showToast({ text: t.samples.found, action: { label: t.samples.search, run } });
    },
    onSettled: refresh,
  });
}
