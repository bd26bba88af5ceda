import type { Hit } from './datasets.js';

/** What is told of a hit beside its text and custom properties: flat, since programs filter and show it. */
export const describeHit = ({
  id,
  documentId,
  tenantUnitId,
  documentType,
  documentSubType,
  datasetIds,
  keywords,
  updatedTime,
  citation: { url, pages, slide, sheet, headings },
}: Hit): Record<string, string | number> => ({
  document_id: documentId,
  chunk_id: id,
  unit: tenantUnitId,
  datasets: datasetIds.join(', '),
  type: documentSubType || documentType,
  keywords: keywords.join(', '),
  updated_time: updatedTime.toISOString(),
  ...(url !== null && { url }),
  ...((pages || slide) && { page: pages?.first ?? (slide as number) }),
  ...(sheet !== undefined && { sheet }),
  ...(headings?.length && { headings: headings.join(' > ') }),
});
