import { type Call, readBody } from './call.js';
import { keyDocuments } from './documents.js';
import { expectOnly, NotImplementedError } from './errors.js';
import { noSpaceForDocuments } from './faults.js';
import type { Document } from './indexes.js';
import { expectReach } from './keys.js';
import { changeSettings, checkSettings } from './settings.js';

export function createIndex(call: Call) {
  const { uid, primaryKey = null, ...others } = readBody(call);
  expectOnly(Object.keys(others), [], 'a new index');
  expectReach(call.access, uid);
  const run = () => {
    call.indexes.create(uid, primaryKey);
    return {};
  };
  return call.tasks.enqueue({ type: 'indexCreation', indexUid: uid, details: { primaryKey }, run });
}

export function deleteIndex({ tasks, indexes, uid }: Call) {
  return tasks.enqueue({
    type: 'indexDeletion',
    indexUid: uid,
    details: { deletedDocuments: null },
    withoutEffect: { deletedDocuments: 0 },
    run: () => ({ deletedDocuments: indexes.delete(uid) }),
  });
}

export function swapIndexes(call: Call) {
  const swaps: { indexes: [string, string]; rename?: boolean }[] = readBody(call);
  const pairs = swaps.map(({ indexes }) => indexes);
  if (swaps.some(({ indexes, rename }) => rename || indexes.length !== 2))
    throw new NotImplementedError('such a swap');
  expectReach(call.access, ...pairs.flat());
  return call.tasks.enqueue({
    type: 'indexSwap',
    indexUid: null,
    details: { swaps: pairs.map((indexes) => ({ indexes, rename: false })) },
    run: ({ uid }) => {
      call.indexes.swap(pairs);
      call.tasks.rename(uid, new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])));
      return {};
    },
  });
}

export function updateSettings(call: Call) {
  const { indexes, tasks, uid, access } = call;
  const patch = readBody(call);
  checkSettings(patch);
  const run = () => {
    const index = indexes.getOrCreate(uid, access.may('indexes.create'));
    index.settings = changeSettings(index.settings, patch);
    return {};
  };
  return tasks.enqueue({ type: 'settingsUpdate', indexUid: uid, details: patch, run });
}

export const addDocuments = (call: Call) => writeDocuments(call, (_, document) => document);

/** Fields that are not given stay. */
export const updateDocuments = (call: Call) =>
  writeDocuments(call, (before, document) => ({ ...before, ...document }));

function writeDocuments(call: Call, merge: (before: Document | undefined, document: Document) => Document) {
  const { indexes, tasks, uid, access, faults } = call;
  const documents: Document[] = readBody(call);
  if (faults.isDiskFull) throw noSpaceForDocuments();
  return tasks.enqueue({
    type: 'documentAdditionOrUpdate',
    indexUid: uid,
    details: { receivedDocuments: documents.length, indexedDocuments: null },
    withoutEffect: { indexedDocuments: 0 },
    documentIds: documents.map(({ id }) => String(id)),
    run: () => {
      const index = indexes.getOrCreate(uid, access.may('indexes.create'));
      const keyed = keyDocuments(index, documents);
      for (const [id, document] of keyed) index.documents.set(id, merge(index.documents.get(id), document));
      return { indexedDocuments: keyed.size };
    },
  });
}

export function deleteBatch(call: Call) {
  const { indexes, tasks, uid } = call;
  const ids: string[] = readBody(call);
  return tasks.enqueue({
    type: 'documentDeletion',
    indexUid: uid,
    details: { providedIds: ids.length, deletedDocuments: null, originalFilter: null },
    withoutEffect: { deletedDocuments: 0 },
    documentIds: ids,
    run: () => {
      const { documents } = indexes.get(uid);
      return { deletedDocuments: ids.filter((id) => documents.delete(id)).length };
    },
  });
}

export function deleteAll({ indexes, tasks, uid }: Call) {
  return tasks.enqueue({
    type: 'documentDeletion',
    indexUid: uid,
    details: { deletedDocuments: null },
    withoutEffect: { deletedDocuments: 0 },
    run: () => {
      const { documents } = indexes.get(uid);
      const deletedDocuments = documents.size;
      documents.clear();
      return { deletedDocuments };
    },
  });
}
