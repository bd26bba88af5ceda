import type { TestApp } from '../rest-client.js';
import type { Outcome, RacedAction } from './possible-order.js';
import { type Called, sendCall } from './send-call.js';

export interface DocumentModel {
  version: number;
  title: string | null;
  enabled: boolean;
  content: string;
  isCancelled: boolean;
  /** Whether an upsert finds it. */
  hasExternalId: boolean;
  /** Undefined where it is not known what is split off its text. */
  chunk: { isGone: boolean; areOthersGone: boolean; text: string | undefined; status: string } | undefined;
}

/** The document of a race, and another that an upsert has made after that was deleted. */
export interface Documents {
  it: DocumentModel | undefined;
  other: { content: string } | undefined;
}

export interface Raced {
  scope: { tenantId: string; tenantUnitId: string };
  documentId: string;
  externalId: string;
  datasetIds: string[];
  version: number;
  /** Of its chunks, if it has any. */
  chunkIds: string[];
}

export interface DocumentAction extends RacedAction<Documents> {
  send(app: TestApp, raced: Raced): Promise<Called>;
  /** How many entries of the audit log it leaves where it succeeds. */
  audited: [least: number, most: number];
}

const NONE = '00000000-0000-4000-8000-000000000000';
const stay = (state: Documents, status: number): Outcome<Documents> => ({ status, state });
const missing = (state: Documents) => [stay(state, 404)];

/** A change of the document: 404 where it is gone. */
const changes =
  (change: (it: DocumentModel) => (Partial<DocumentModel> | number)[]) =>
  (state: Documents): Outcome<Documents>[] => {
    const { it } = state;
    if (!it) return missing(state);
    return change(it).map((one) =>
      typeof one === 'number'
        ? stay(state, one)
        : { status: 200, state: { ...state, it: { ...it, version: it.version + 1, ...one } } },
    );
  };

/** What becomes of the chunks is seen in other tests. */
const rewritten = (content: string) => ({ content, isCancelled: false, chunk: undefined });

const action = (
  name: string,
  procedure: string,
  input: (raced: Raced) => object,
  outcomes: DocumentAction['outcomes'],
  audited: DocumentAction['audited'] = [1, 1],
): DocumentAction => ({
  name,
  outcomes,
  audited,
  send: (app, raced) => sendCall(app, procedure, { scope: raced.scope, ...input(raced) }),
});

const ref = ({ documentId }: Raced) => ({ documentId });
const selection = ({ documentId }: Raced) => ({ documentIds: [documentId] });
const gone = (state: Documents): Outcome<Documents>[] =>
  state.it ? [{ status: 200, state: { ...state, it: undefined } }] : missing(state);
const seen = (state: Documents) => [stay(state, state.it ? 200 : 404)];
const always = (state: Documents) => [stay(state, 200)];

/** A change of chunks: 404 where they or their document are gone. */
const changesChunks =
  (
    change: (chunk: NonNullable<DocumentModel['chunk']>) => Partial<NonNullable<DocumentModel['chunk']>>,
    { ofAll = false, statuses = [] as number[] } = {},
  ) =>
  (state: Documents): Outcome<Documents>[] => {
    const { it } = state;
    if (!it) return missing(state);
    if (!it.chunk) return [200, 404, ...statuses].map((status) => stay(state, status));
    if (it.chunk.isGone || (ofAll && it.chunk.areOthersGone)) return missing(state);
    const chunk = { ...it.chunk, ...change(it.chunk) };
    return [{ status: 200, state: { ...state, it: { ...it, chunk } } }];
  };
const firstChunk = ({ documentId, chunkIds }: Raced) => ({ documentId, chunkId: chunkIds[0] ?? NONE });
const allChunks = ({ documentId, chunkIds }: Raced) => ({
  documentId,
  chunkIds: chunkIds.length > 0 ? chunkIds.toReversed() : [NONE],
});
const ANY_NUMBER: DocumentAction['audited'] = [0, Number.POSITIVE_INFINITY];
const NO_ENTRY: DocumentAction['audited'] = [0, 0];

/**
 * Every action on a document and its chunks.
 *
 * @param text unlike that of any other race
 * @param version that the document had before
 */
export const documentActions = (text: string, version: number): DocumentAction[] => [
  action(
    'patch title',
    'documents.update',
    (raced) => ({ ...ref(raced), title: text }),
    changes(() => [{ title: text }]),
  ),
  action(
    'patch text',
    'documents.update',
    (raced) => ({ ...ref(raced), documentContent: `patched ${text}` }),
    changes(() => [rewritten(`patched ${text}`)]),
  ),
  action(
    'patch if unchanged',
    'documents.update',
    (raced) => ({ ...ref(raced), title: `if ${text}`, expectedVersion: raced.version }),
    changes((it) => [it.version === version ? { title: `if ${text}` } : 412]),
  ),
  action(
    'upsert',
    'documents.upsert',
    ({ externalId, datasetIds }) => ({ externalId, datasetIds, documentContent: `upserted ${text}` }),
    (state) =>
      state.it?.hasExternalId
        ? changes(() => [rewritten(`upserted ${text}`)])(state)
        : [{ status: 200, state: { ...state, other: { content: `upserted ${text}` } } }],
  ),
  ...[true, false].flatMap((enabled) => [
    action(
      `switch ${enabled ? 'on' : 'off'}`,
      'documents.setEnabled',
      (raced) => ({ ...ref(raced), enabled }),
      changes(() => [{ enabled }]),
    ),
    action(
      `switch many ${enabled ? 'on' : 'off'}`,
      'documents.setEnabledMany',
      (raced) => ({ ...selection(raced), enabled }),
      changes((it) => [it.enabled === enabled ? 200 : { enabled }]),
      [0, 1],
    ),
  ]),
  action('delete', 'documents.delete', ref, gone),
  action('delete many', 'documents.deleteMany', selection, gone),
  action(
    'reprocess',
    'documents.reprocess',
    ref,
    changes(() => [{ isCancelled: false }]),
  ),
  action(
    'reprocess many',
    'documents.reprocessMany',
    selection,
    changes(() => [{ isCancelled: false }]),
  ),
  // Whether it is still being processed is not known.
  action(
    'cancel',
    'documents.cancel',
    ref,
    changes((it) => (it.isCancelled ? [200] : [{ isCancelled: true }, 409])),
    [0, 1],
  ),
  action(
    'cancel many',
    'documents.cancelMany',
    selection,
    changes((it) => (it.isCancelled ? [200] : [{ isCancelled: true }, 200])),
    [0, 1],
  ),
  action(
    'create with its id',
    'documents.create',
    ({ documentId, datasetIds }) => ({
      id: documentId,
      documentType: 'UnstructuredFile',
      datasetIds,
      documentContent: `created ${text}`,
    }),
    (state) =>
      state.it
        ? [stay(state, 409)]
        : [
            {
              status: 200,
              state: {
                ...state,
                it: {
                  version: 1,
                  title: null,
                  enabled: true,
                  hasExternalId: false,
                  ...rewritten(`created ${text}`),
                },
              },
            },
          ],
  ),
  action(
    'edit chunk',
    'chunks.update',
    (raced) => ({ ...firstChunk(raced), content: `edited ${text}` }),
    changesChunks(() => ({ text: `edited ${text}` })),
    [0, 1],
  ),
  action(
    'restore chunk',
    'chunks.restore',
    firstChunk,
    changesChunks(() => ({ text: undefined })),
    [0, 1],
  ),
  action(
    'switch chunk off',
    'chunks.setStatus',
    (raced) => ({ ...firstChunk(raced), status: 'inactive' }),
    changesChunks(() => ({ status: 'inactive' })),
    [0, 1],
  ),
  ...['active', 'inactive'].map((status) =>
    action(
      `set all chunks ${status}`,
      'chunks.setStatusMany',
      (raced) => ({ ...allChunks(raced), status }),
      changesChunks(() => ({ status }), { ofAll: true }),
      ANY_NUMBER,
    ),
  ),
  action(
    'delete chunk',
    'chunks.deleteMany',
    ({ documentId, chunkIds }) => ({ documentId, chunkIds: [chunkIds[0] ?? NONE] }),
    changesChunks(() => ({ isGone: true })),
    [0, 1],
  ),
  action(
    'delete all chunks',
    'chunks.deleteMany',
    allChunks,
    changesChunks(() => ({ isGone: true, areOthersGone: true }), { ofAll: true }),
    ANY_NUMBER,
  ),
  action('get', 'documents.get', ref, seen, NO_ENTRY),
  action('list chunks', 'chunks.list', ref, seen, NO_ENTRY),
  action('list', 'documents.list', () => ({}), always, NO_ENTRY),
  action('search', 'chunks.search', ({ datasetIds }) => ({ datasetIds, query: text }), always, NO_ENTRY),
  action('history', 'documents.history', ref, (state) => [stay(state, 200), stay(state, 404)], NO_ENTRY),
  action(
    'source text',
    'documents.sourceText',
    ref,
    (state) => [200, 404, 503].map((one) => stay(state, one)),
    NO_ENTRY,
  ),
];
