import { createRegister, type Register } from './register.js';

/** What is known of a chunk. */
export interface ModelChunk {
  id: string;
  content: Register<string>;
  state: Register<'active' | 'inactive' | 'gone'>;
  /** The document's count of changes when the chunk was found last; it must be found until the next. */
  foundAt?: number;
}

/** What is known of a document from what was asked for and acknowledged. */
export interface ModelDocument {
  name: string;
  id: string;
  /** Of those that were created by it. */
  externalId?: string;
  tenantId: string;
  tenantUnitId: string;
  text: Register<string>;
  datasets: Register<string[]>;
  enabled: Register<boolean>;
  exists: Register<boolean>;
  chunks: Map<string, ModelChunk>;
  /** Grows with the begin and the end of each change. */
  changes: number;
}

export interface Hit {
  id: string;
  document_name: string;
  content: string;
  tenant_id: string;
  tenant_unit_id: string;
}

/** A search, and when it began and ended. */
export interface Asked {
  tenantId: string;
  tenantUnitId: string;
  datasetId: string;
  begin: number;
  end: number;
}

export interface Model {
  documents: Map<string, ModelDocument>;
}

/** What is wrong with a hit; undefined when nothing is. */
export function findFault({ documents }: Model, hit: Hit, asked: Asked): string | undefined {
  const { tenantId, tenantUnitId, datasetId, begin, end } = asked;
  if (hit.tenant_id !== tenantId) return 'it belongs to another tenant';
  if (hit.tenant_unit_id !== tenantUnitId) return 'it belongs to another tenant unit';
  const document = documents.get(hit.document_name);
  if (!document || document.tenantId !== tenantId) return 'its document was never created in this tenant';
  if (!document.exists.might((exists) => exists, begin, end)) return 'its document is deleted';
  if (!document.enabled.might((enabled) => enabled, begin, end)) return 'its document is disabled';
  if (!document.datasets.might((ids) => ids.includes(datasetId), begin, end)) {
    return 'its document is not in the dataset';
  }
  const chunk = document.chunks.get(hit.id);
  if (!chunk) {
    // Made by a processing that is not known to be over.
    const isOfText = document.text.might((text) => text.includes(hit.content), begin, end);
    return isOfText ? undefined : 'its text is not of the document';
  }
  if (!chunk.state.might((state) => state === 'active', begin, end)) return `it is ${chunk.state.value}`;
  if (!chunk.content.might((content) => content === hit.content, begin, end))
    return 'its text is not current';
  return undefined;
}

/** Whether a search in the dataset must find the chunk once the index is in step. */
export const isSearchable = (document: ModelDocument, chunk: ModelChunk, datasetId: string): boolean =>
  document.exists.value &&
  document.enabled.value &&
  document.datasets.value.includes(datasetId) &&
  chunk.state.value === 'active';

export const newChunk = (id: string, content: string, status: 'active' | 'inactive'): ModelChunk => ({
  id,
  content: createRegister(content, 0),
  state: createRegister<'active' | 'inactive' | 'gone'>(status, 0),
});
