import { type Call, readBody } from './call.js';
import { identify, readDocuments } from './documents.js';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';
import { noSpaceForDocuments, noSpaceLeft } from './faults.js';
import { applySettings, type Document, deleteDocuments, putDocuments } from './indexes.js';
import { expectReach } from './keys.js';
import { checkSettings, readChange } from './settings.js';

const UID = /^[a-zA-Z0-9_-]{1,512}$/;

export function createIndex(call: Call) {
  const { uid, primaryKey = null, ...others } = readBody(call);
  expectOnly(Object.keys(others), [], 'a new index');
  if (!UID.test(uid)) throw new NotImplementedError(`the index uid \`${uid}\``);
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
  const swaps: { indexes: [string, string] }[] = readBody(call);
  for (const swap of swaps) {
    const { rename, ...others } = swap as { rename?: unknown };
    expectOnly(Object.keys(others), ['indexes'], 'a swap');
    if (rename) throw new NotImplementedError('swaps that rename');
  }
  const named = swaps.flatMap(({ indexes }) => indexes);
  if (swaps.some(({ indexes }) => indexes.length !== 2))
    throw new NotImplementedError('swaps of other than two indexes');
  const twice = named.find((uid, i) => named.indexOf(uid) < i);
  if (twice !== undefined) {
    const message = `Indexes must be declared only once during a swap. \`${twice}\` was specified several times.`;
    throw new ApiError(400, 'invalid_swap_duplicate_index_found', message);
  }
  expectReach(call.access, ...named);
  return call.tasks.enqueue({
    type: 'indexSwap',
    indexUid: null,
    details: { swaps: swaps.map(({ indexes }) => ({ indexes, rename: false })) },
    run: ({ uid }) => {
      const pairs = swaps.map(({ indexes }) => indexes);
      call.indexes.swap(pairs);
      call.tasks.rename(uid, new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])));
      return {};
    },
  });
}

export function updateSettings(call: Call) {
  const { indexes, tasks, uid, access, faults } = call;
  const patch = readBody(call);
  checkSettings(patch);
  if (faults.isDiskFull) throw noSpaceLeft();
  const mayCreate = access.may('indexes.create');
  const run = () => {
    applySettings(indexes.getOrCreate(uid, mayCreate), patch);
    return {};
  };
  return tasks.enqueue({ type: 'settingsUpdate', indexUid: uid, details: readChange(patch), run });
}

export const addDocuments = (call: Call) => writeDocuments(call, (_, document) => document);

/** Fields that are not given stay. */
export const updateDocuments = (call: Call) =>
  writeDocuments(call, (before, document) => ({ ...before, ...document }));

function writeDocuments(
  { indexes, tasks, uid, access, faults, contentType, text }: Call,
  merge: (before: Document | undefined, document: Document) => Document,
) {
  const documents = readDocuments(contentType, text);
  if (faults.isDiskFull) throw noSpaceForDocuments();
  const mayCreate = access.may('indexes.create');
  return tasks.enqueue({
    type: 'documentAdditionOrUpdate',
    indexUid: uid,
    details: { receivedDocuments: documents.length, indexedDocuments: null },
    withoutEffect: { indexedDocuments: 0 },
    documentIds: documents.map(({ id }) => String(id)),
    run: () => {
      const index = indexes.getOrCreate(uid, mayCreate);
      const identified = identify(index, documents);
      const present = (id: string) => index.documents[index.places.get(id) ?? -1];
      putDocuments(
        index,
        [...identified].map(([id, document]) => [id, merge(present(id), document)]),
      );
      return { indexedDocuments: identified.size };
    },
  });
}

export function deleteBatch(call: Call) {
  const { indexes, tasks, uid } = call;
  const given = readBody(call);
  if (!Array.isArray(given)) throw new NotImplementedError('deletions of other than a list');
  const ids = given.map(String);
  return tasks.enqueue({
    type: 'documentDeletion',
    indexUid: uid,
    details: { providedIds: ids.length, deletedDocuments: null, originalFilter: null },
    withoutEffect: { deletedDocuments: 0 },
    documentIds: ids,
    run: () => ({ deletedDocuments: deleteDocuments(indexes.get(uid), ids) }),
  });
}

export function deleteAll({ indexes, tasks, uid }: Call) {
  return tasks.enqueue({
    type: 'documentDeletion',
    indexUid: uid,
    details: { deletedDocuments: null },
    withoutEffect: { deletedDocuments: 0 },
    run: () => {
      const index = indexes.get(uid);
      return { deletedDocuments: deleteDocuments(index, [...index.places.keys()]) };
    },
  });
}
