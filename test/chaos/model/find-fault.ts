import { piecesIn } from './content.js';
import type { ChunkModel, DocumentModel } from './documents.js';
import { documentKey, type Model } from './model.js';

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

/** What is wrong with a hit; undefined when nothing is. */
export function findFault({ documents }: Model, hit: Hit, asked: Asked): string | undefined {
  const { tenantId, tenantUnitId, datasetId, begin, end } = asked;
  if (hit.tenant_id !== tenantId) return 'it belongs to another tenant';
  if (hit.tenant_unit_id !== tenantUnitId) return 'it belongs to another tenant unit';
  const document = documents.get(documentKey({ tenantId, name: hit.document_name }));
  if (!document) return 'its document was never created in this tenant';
  if (!document.exists.might((exists) => exists, begin, end)) return 'its document is deleted';
  if (!document.enabled.might((enabled) => enabled, begin, end)) return 'its document is disabled';
  if (!document.datasets.might((ids) => ids.includes(datasetId), begin, end)) {
    return 'its document is not in the dataset';
  }
  const chunk = document.chunks.get(hit.id);
  if (!chunk) {
    // Made by a processing that is not known to be over; chunks of a former content serve until then.
    const isOfSource = document.content.might(
      (content) => piecesIn(hit.content, content).every((piece) => content.pieces.includes(piece)),
      Math.min(begin, document.takenAt),
      end,
    );
    return isOfSource ? undefined : 'its text is not of the document';
  }
  if (!chunk.state.might((state) => state === 'active', begin, end)) return `it is ${chunk.state.value}`;
  if (!chunk.content.might((content) => content === hit.content, begin, end))
    return 'its text is not current';
  return undefined;
}

/** Whether a search in the dataset must find the chunk. */
export const isSearchable = (document: DocumentModel, chunk: ChunkModel, datasetId: string): boolean =>
  document.exists.value &&
  document.enabled.value &&
  document.datasets.value.includes(datasetId) &&
  chunk.state.value === 'active';
