import type { Random } from '../support/random.js';
import { createChunkChanges } from './change-chunks.js';
import { createDocumentChanges } from './change-documents.js';
import type { Model, ModelDocument } from './model.js';
import type { Ask } from './requests.js';
import { createTexts } from './texts.js';

const WEIGHTS = {
  create: 12,
  edit: 25,
  switch: 18,
  toggle: 12,
  datasets: 10,
  content: 8,
  deleteChunks: 5,
  deleteDocument: 6,
};
type Kind = keyof typeof WEIGHTS;
/** Then documents are rather deleted than made. */
const MANY_DOCUMENTS = 1_500;

export interface Operations {
  counts: Record<string, number>;
  /** What failed, and should not have. */
  failures: string[];
  /** Makes one change, and waits until it is answered and its document processed. */
  perform(): Promise<void>;
}

/** Random changes through the REST API. */
export function createOperations(model: Model, ask: Ask, random: Random): Operations {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const busy = new Set<ModelDocument>();
  const context = { ask, random, texts: createTexts(random) };
  const documents = createDocumentChanges(context);
  const chunks = createChunkChanges(context);
  const changes: Record<Exclude<Kind, 'create'>, (document: ModelDocument) => Promise<void>> = {
    edit: chunks.editChunk,
    switch: chunks.switchChunk,
    toggle: documents.toggleDocument,
    datasets: documents.changeDatasets,
    content: documents.changeContent,
    deleteChunks: chunks.deleteChunks,
    deleteDocument: documents.deleteDocument,
  };
  return { counts, failures, perform };

  async function perform(): Promise<void> {
    const free = [...model.documents.values()].filter((one) => one.exists.value && !busy.has(one));
    const kind = choose(free.length);
    counts[kind] = (counts[kind] ?? 0) + 1;
    try {
      if (kind === 'create') await create();
      else await change(random.oneOf(free), changes[kind]);
    } catch (error) {
      failures.push(`${kind}: ${(error as Error).message}`);
    }
  }

  function choose(free: number): Kind {
    if (free === 0) return 'create';
    const kind = random.weighted(WEIGHTS);
    return kind === 'create' && free > MANY_DOCUMENTS ? 'deleteDocument' : kind;
  }

  function create(): Promise<void> {
    const document = documents.plan(`document-${model.documents.size + 1}`);
    model.documents.set(document.name, document);
    return change(document, documents.create);
  }

  async function change(
    document: ModelDocument,
    make: (document: ModelDocument) => Promise<void>,
  ): Promise<void> {
    busy.add(document);
    document.changes++;
    await make(document);
    // After a failure nothing is known of it any more, and it is left alone.
    document.changes++;
    busy.delete(document);
  }
}
