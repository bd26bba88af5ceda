import type { Hit } from './datasets.js';

/** What is told of a hit beside its text: flat, since programs filter and show it. */
export const describeHit = ({
  id,
  documentId,
  tenantUnitId,
  documentType,
  documentSubType,
  datasetIds,
  keywords,
  updatedTime,
}: Hit): Record<string, string> => ({
  document_id: documentId,
  chunk_id: id,
  unit: tenantUnitId,
  datasets: datasetIds.join(', '),
  type: documentSubType || documentType,
  keywords: keywords.join(', '),
  updated_time: updatedTime.toISOString(),
});
