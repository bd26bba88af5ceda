import { readFailure } from '../../api/errors';
import type { Scope } from '../../api/scope';
import { client, type Document, type Outputs } from '../../api/trpc';

type Changed = Outputs['documents']['setDatasetsMany']['changed'][number];

/** A document that left a dataset for another, and what it takes to bring it back. */
export interface Moved {
  documentId: string;
  add: string[];
  remove: string[];
}

export interface Step {
  /** Documents that were looked at. */
  looked: number;
  /** Documents that are elsewhere now, or gone. */
  changed: number;
  moved?: Moved[];
}

interface Dataset {
  scope: Scope;
  datasetId: string;
  /** Most documents of one call. */
  size: number;
}

const NOT_FOUND = 404;
/** Somebody else deletes documents meanwhile: those of a step are read again. */
const ATTEMPTS = 5;

/** Moves all documents of a dataset to another. What has been moved is no longer in it, so that each step begins anew. */
export const moveDataset = (dataset: Dataset, to: string): AsyncGenerator<Step> =>
  emptyDataset(dataset, async (documents) => {
    const { datasetId: from, scope } = dataset;
    const moved = await move(scope, idsOf(documents), { add: [to], remove: [from] });
    return { looked: documents.length, changed: moved.length, moved };
  });

/** Deletes the documents of a dataset. Those that are in others, too, only leave it. */
export const deleteDataset = (dataset: Dataset): AsyncGenerator<Step> =>
  emptyDataset(dataset, async (documents) => {
    const { datasetId, scope } = dataset;
    const isShared = ({ datasetIds }: Document) => datasetIds.length > 1;
    const [shared, own] = [documents.filter(isShared), documents.filter((one) => !isShared(one))];
    if (shared.length > 0) await move(scope, idsOf(shared), { add: [], remove: [datasetId] });
    if (own.length > 0)
      await client.documents.deleteMany.mutate({ ...tenantOf(scope), documentIds: idsOf(own) });
    return { looked: documents.length, changed: documents.length };
  });

async function* emptyDataset(
  { scope, datasetId, size }: Dataset,
  work: (documents: Document[]) => Promise<Step>,
): AsyncGenerator<Step> {
  for (let attempt = 1; ; ) {
    const { items } = await client.documents.list.query({ scope, datasetIds: [datasetId], pageSize: size });
    if (items.length === 0) return;
    try {
      yield await work(items);
      attempt = 1;
    } catch (error) {
      attempt += 1;
      if (readFailure(error).status !== NOT_FOUND || attempt > ATTEMPTS) throw error;
    }
  }
}

/** Moves documents to a dataset, from one or from all that they are in. */
export async function* moveDocuments(
  documents: readonly Document[],
  { scope, from, to, size }: { scope: Scope; from: string | undefined; to: string; size: number },
): AsyncGenerator<Step> {
  for (const some of slicesOf(documents, size)) {
    const all = [...new Set(some.flatMap(({ datasetIds }) => datasetIds))];
    const remove = (from === undefined ? all : [from]).filter((id) => id !== to);
    const moved: Moved[] = [];
    // A call names few datasets.
    for (const removed of [...slicesOf(remove, MAX_CHANGED), ...(remove.length === 0 ? [[]] : [])])
      moved.push(...(await move(scope, idsOf(some), { add: [to], remove: removed })));
    const changed = new Set(moved.map(({ documentId }) => documentId)).size;
    yield { looked: some.length, changed, moved };
  }
}

const MAX_CHANGED = 100;

/**
 * Brings documents back to where they were.
 *
 * @param done how many of them are back already
 */
export async function* undoMoves(
  moved: readonly Moved[],
  { scope, size, done }: { scope: Scope; size: number; done: number },
): AsyncGenerator<Step> {
  let place = 0;
  for (const { add, remove, documentIds } of groupAlike(moved)) {
    for (const some of slicesOf(documentIds, size)) {
      place += some.length;
      if (place <= done) continue;
      const back = await move(scope, some, { add, remove });
      yield { looked: some.length, changed: back.length };
    }
  }
}

function groupAlike(moved: readonly Moved[]) {
  const groups = new Map<string, Pick<Moved, 'add' | 'remove'> & { documentIds: string[] }>();
  for (const { documentId, add, remove } of moved) {
    const key = JSON.stringify([add, remove]);
    const group = groups.get(key) ?? { add, remove, documentIds: [] };
    group.documentIds.push(documentId);
    groups.set(key, group);
  }
  return groups.values();
}

async function move(
  scope: Scope,
  documentIds: string[],
  change: { add: string[]; remove: string[] },
): Promise<Moved[]> {
  for (let attempt = 1; documentIds.length > 0; attempt += 1) {
    const input = { ...tenantOf(scope), documentIds, ...change };
    try {
      const { changed } = await client.documents.setDatasetsMany.mutate(input);
      return changed.map((one) => toMoved(one, change));
    } catch (error) {
      if (readFailure(error).status !== NOT_FOUND || attempt === ATTEMPTS) throw error;
      // Some were deleted meanwhile: the others are moved.
      documentIds = idsOf(await client.documents.getMany.query({ ...tenantOf(scope), documentIds }));
    }
  }
  return [];
}

const toMoved = (
  { documentId, before }: Changed,
  { add, remove }: { add: string[]; remove: string[] },
): Moved => ({
  documentId,
  add: remove.filter((id) => before.includes(id)),
  remove: add.filter((id) => !before.includes(id)),
});

const tenantOf = ({ tenantId }: Scope) => ({ scope: { tenantId } });
const idsOf = (documents: readonly Pick<Document, 'id'>[]) => documents.map(({ id }) => id);

function* slicesOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
