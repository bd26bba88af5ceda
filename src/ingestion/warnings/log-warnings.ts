import type { Logger } from 'pino';
import type { DocumentWarning } from '../../../db/schema.js';
import { formatRanges } from './page-ranges.js';

/** Logs what a document that is ready has lost: pages, and no names, which are the tenant's data. */
export function logWarnings(
  log: Logger,
  { tenantId, id: documentId }: { tenantId: string; id: string },
  warnings: readonly DocumentWarning[],
): void {
  if (warnings.length === 0) return;
  const losses = warnings.map(({ code, file, pages, pageCount, nameCount }) => ({
    code,
    ...(file !== null && { inEmbeddedFile: true }),
    ...(pageCount > 0 && { pages: formatRanges(pages), pageCount }),
    ...(nameCount > 0 && { nameCount }),
  }));
  log.info({ tenantId, documentId, warnings: losses }, 'a document is ready, but lacks some of its source');
}
