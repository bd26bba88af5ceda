import { createLectern, type Lectern, readFailure } from '../../../src/client/index.js';
import { type Calls, codesOf, type Place } from './calls.js';
import { isTemporary, type Outcome } from './outcome.js';
import type { Traffic } from './traffic.js';

const PAGE_SIZE = 100;

/** The client of the package, with its own retries, fewer and shorter than by default. */
export const createTypedClient = (traffic: Traffic, apiKey: string): Lectern =>
  createLectern({
    url: 'http://lectern',
    apiKey,
    fetch: traffic.fetch,
    retry: { attempts: 4, maxPauseMs: 2_000 },
  });

export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await call };
  } catch (error) {
    const { status, detail } = readFailure(error);
    if (status === undefined) return { kind: 'doubt', why: String(error) };
    return isTemporary(status, detail)
      ? { kind: 'doubt', why: `answered ${status}` }
      : { kind: 'refused', status, body: detail };
  }
}

/** The same as `createRestCalls` by tRPC. */
export function createTypedCalls({ trpc, addFile }: Lectern): Calls {
  const withKey = (idempotencyKey: string) => ({ context: { idempotencyKey } });
  return {
    kind: 'typed',
    createDocument: (key, { tenantId, tenantUnitId, ...document }) =>
      outcomeOf(
        trpc.documents.create.mutate(
          {
            scope: { tenantId, tenantUnitId },
            documentType: 'url' in document ? 'UnstructuredWebpage' : 'UnstructuredFile',
            ...document,
          },
          withKey(key),
        ),
      ),
    uploadDocument: (key, { tenantId, tenantUnitId, datasetIds, file }) =>
      outcomeOf(
        addFile(
          file.bytes,
          {
            scope: { tenantId, tenantUnitId },
            datasetIds,
            documentType: 'UnstructuredFile',
            documentName: file.fileName,
            fileName: file.fileName,
            mediaType: file.mediaType,
          },
          { idempotencyKey: key },
        ),
      ),
    upsertDocument: (key, { tenantId, tenantUnitId, ...document }) =>
      outcomeOf(
        trpc.documents.upsert.mutate({ scope: { tenantId, tenantUnitId }, ...document }, withKey(key)),
      ),
    changeDocument: (key, place, documentId, { label, ...change }) =>
      outcomeOf(
        trpc.documents.update.mutate(
          {
            scope: scopeOf(place),
            documentId,
            ...change,
            ...(label !== undefined && { customProperties: { label } }),
          },
          withKey(key),
        ),
      ),
    toggleDocument: (key, place, documentId, enabled) =>
      outcomeOf(
        trpc.documents.setEnabled.mutate({ scope: scopeOf(place), documentId, enabled }, withKey(key)),
      ),
    deleteDocument: (key, place, documentId) =>
      outcomeOf(trpc.documents.delete.mutate({ scope: scopeOf(place), documentId }, withKey(key))),
    async readDocument(place, documentId) {
      const outcome = await outcomeOf(trpc.documents.get.query({ scope: scopeOf(place), documentId }));
      return ifPresent(outcome, ({ status, enabled, customProperties }) => ({
        status,
        enabled,
        label: customProperties?.label as string | undefined,
      }));
    },
    async readWarnings(place, documentId) {
      const query = { scope: scopeOf(place), documentIds: [documentId] };
      const outcome = await outcomeOf(trpc.documents.getMany.query(query));
      return outcome.kind === 'done' ? { kind: 'done', value: codesOf(outcome.value) } : outcome;
    },
    async listChunks(place, documentId) {
      const query = { scope: scopeOf(place), documentId, pageSize: PAGE_SIZE };
      return ifPresent(await outcomeOf(trpc.chunks.list.query(query)), ({ items }) =>
        // Of one version, which knows every status that it writes.
        items.flatMap(({ status, ...chunk }) => (status === 'unknown' ? [] : { ...chunk, status })),
      );
    },
    editChunk: (key, place, documentId, chunkId, content) =>
      outcomeOf(
        trpc.chunks.update.mutate({ scope: scopeOf(place), documentId, chunkId, content }, withKey(key)),
      ),
    switchChunk: (key, place, documentId, chunkId, status) =>
      outcomeOf(
        trpc.chunks.setStatus.mutate({ scope: scopeOf(place), documentId, chunkId, status }, withKey(key)),
      ),
    deleteChunks: (key, place, documentId, chunkIds) =>
      outcomeOf(trpc.chunks.deleteMany.mutate({ scope: scopeOf(place), documentId, chunkIds }, withKey(key))),
    createConversation: (key, { tenantId, tenantUnitId }, topic) =>
      outcomeOf(trpc.conversations.create.mutate({ scope: { tenantId, tenantUnitId }, topic }, withKey(key))),
    renameConversation: (key, place, conversationId, topic) =>
      outcomeOf(
        trpc.conversations.update.mutate({ scope: scopeOf(place), conversationId, topic }, withKey(key)),
      ),
    setConversationStatus: (key, place, conversationId, status) =>
      outcomeOf(
        trpc.conversations.setStatus.mutate(
          { scope: scopeOf(place), conversationId, status: status as 'running' },
          withKey(key),
        ),
      ),
    deleteConversation: (key, place, conversationId) =>
      outcomeOf(trpc.conversations.delete.mutate({ scope: scopeOf(place), conversationId }, withKey(key))),
    async readConversation(place, conversationId) {
      const outcome = await outcomeOf(
        trpc.conversations.get.query({ scope: scopeOf(place), conversationId }),
      );
      return ifPresent(outcome, ({ topic, status }) => ({ topic: topic ?? '', status: status ?? '' }));
    },
  };
}

const scopeOf = ({ tenantId }: Place) => ({ tenantId });

function ifPresent<T, R>(outcome: Outcome<T>, read: (value: T) => R): Outcome<R | undefined> {
  if (outcome.kind === 'refused' && outcome.status === 404) return { kind: 'done', value: undefined };
  return outcome.kind === 'done' ? { kind: 'done', value: read(outcome.value) } : outcome;
}
