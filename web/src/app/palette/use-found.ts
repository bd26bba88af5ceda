import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2, Database, FileText, MessagesSquare } from 'lucide-react';
import { usePermission } from '../../api/permission-gate';
import { useDatasets, useTenants } from '../../api/reach';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';
import { useSettled } from '../../ui/use-settled';
import { storeScope } from '../scope-search';
import type { Command } from './use-commands';

const STALE_MS = 30_000;
/** Of each kind. */
const MAX_FOUND = 6;
/** Names of conversations are found among the last ones. */
const LAST_CONVERSATIONS = 100;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The documents, conversations, datasets and tenants that a text names, a whole id or a part of a name. */
export function useFound(text: string) {
  const { tenantId, tenantUnitId } = useScope();
  const scope = { tenantId, tenantUnitId };
  const asked = useSettled(text);
  const navigate = useNavigate();
  const readsDocuments = usePermission('documents:read') === true;
  const readsConversations = usePermission('conversations:read') === true;
  const isId = ID.test(asked);
  const isName = asked !== '' && !isId;
  const once = { retry: false, staleTime: STALE_MS };
  const byName = useQuery(
    trpc.documents.list.queryOptions(
      readsDocuments && isName ? { scope, nameContains: asked, pageSize: MAX_FOUND } : skipToken,
      { ...once, trpc: { abortOnUnmount: true } },
    ),
  );
  const byId = useQuery(
    trpc.documents.getMany.queryOptions(
      readsDocuments && isId ? { scope, documentIds: [asked] } : skipToken,
      once,
    ),
  );
  // An id that is no document's, as far as it is known.
  const isOther = isId && (!readsDocuments || byId.data?.length === 0);
  const recent = useQuery(
    trpc.conversations.list.queryOptions(
      readsConversations && isName ? { scope, pageSize: LAST_CONVERSATIONS } : skipToken,
      once,
    ),
  );
  const oneConversation = useQuery(
    trpc.conversations.get.queryOptions(
      readsConversations && isOther ? { scope, conversationId: asked } : skipToken,
      once,
    ),
  );
  const { datasets } = useDatasets(scope, asked);
  const { tenants } = useTenants(asked);

  const contains = (name: string | null) => name?.toLowerCase().includes(text.toLowerCase()) === true;
  const documents = (isId ? byId.data : byName.data?.items) ?? [];
  const conversations = isId
    ? [oneConversation.data].filter((one) => one !== undefined)
    : (recent.data?.items ?? []).filter(({ topic }) => contains(topic)).slice(0, MAX_FOUND);
  if (text === '') return { documents: [], conversations: [], datasets: [], tenants: [], isSearching: false };
  return {
    isSearching:
      text !== asked || [byName, byId, recent, oneConversation].some(({ isFetching }) => isFetching),
    documents: documents.map(
      (document): Command => ({
        key: `document ${document.id}`,
        Icon: FileText,
        name: nameOf(document),
        detail: document.tenantUnitId,
        run: () => navigate({ to: '/documents/$documentId', params: { documentId: document.id } }),
      }),
    ),
    conversations: conversations.map(
      ({ id, topic, tenantUnitId }): Command => ({
        key: `conversation ${id}`,
        Icon: MessagesSquare,
        name: topic ?? id,
        detail: tenantUnitId,
        run: () => navigate({ to: '/conversations', search: { conversation: id } }),
      }),
    ),
    datasets: datasets
      .filter(({ datasetId }) => contains(datasetId))
      .slice(0, MAX_FOUND)
      .map(
        ({ datasetId }): Command => ({
          key: `dataset ${datasetId}`,
          Icon: Database,
          name: datasetId,
          run: () => navigate({ to: '/documents', search: { dataset: datasetId } }),
        }),
      ),
    tenants: tenants
      .filter((tenant) => tenant !== tenantId && contains(tenant))
      .slice(0, MAX_FOUND)
      .map(
        (tenant): Command => ({
          key: `tenant ${tenant}`,
          Icon: Building2,
          name: tenant,
          run: () => {
            storeScope({ tenant });
            // Filters and pages of one tenant mean nothing in another.
            navigate({ to: '.', search: { tenant } });
          },
        }),
      ),
  };
}
