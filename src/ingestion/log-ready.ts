import type { Logger } from 'pino';

interface Processed {
  type: string;
  chunks: number;
  /** From the claim of its job to its end; absent where it was processed together with others. */
  ms?: number;
}

/** Logs that a document is processed. */
export function logReady(
  log: Logger,
  { tenantId, id: documentId }: { tenantId: string; id: string },
  { type, chunks, ms }: Processed,
): void {
  const duration = ms === undefined ? {} : { ms: Math.round(ms) };
  log.info({ tenantId, documentId, type, chunks, ...duration }, 'a document is ready');
}
