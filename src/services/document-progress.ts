import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/schema.js';
import { isOutage } from '../errors.js';
import type { DocumentProgress } from './document-processing.schema.js';
import { inReach, isUnderWay } from './document-rows.js';
import type { DocumentSelection } from './documents.schema.js';
import { assertWithin } from './paging.js';

export interface DocumentProgressDependencies {
  db: Database;
  maxPageSize: number;
  /** Fires when the service stops, so that nobody who watches holds it up. */
  stopping: AbortSignal;
}

const INTERVAL_MS = 500;

/** Processing as it is seen from outside. */
export function createDocumentProgress({ db, maxPageSize, stopping }: DocumentProgressDependencies) {
  return { watch };

  /**
   * Tells where each document is now, then each change, until none is left that waits or is being processed. While
   * the database is away there is nothing to tell; it goes on afterwards.
   *
   * @throws an AbortError when `signal` fires or the service stops: what is watched goes on, and can be watched anew
   */
  function watch(input: DocumentSelection, signal?: AbortSignal): AsyncGenerator<DocumentProgress, void> {
    assertWithin(maxPageSize, input.documentIds.length, 'documentIds');
    return changesOf(input, signal);
  }

  async function* changesOf(
    input: DocumentSelection,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DocumentProgress, void> {
    const told = new Map<string, string>();
    for (;;) {
      stopping.throwIfAborted();
      const seen = await look(input);
      for (const progress of seen?.states ?? []) {
        const text = JSON.stringify(progress);
        if (told.get(progress.documentId) === text) continue;
        told.set(progress.documentId, text);
        yield progress;
      }
      if (seen && !seen.isUnderWay) return;
      // Asking is simple, survives outages and sees what every process does.
      await delay(INTERVAL_MS, undefined, signal && { signal });
    }
  }

  async function look({ scope, documentIds }: DocumentSelection) {
    if (documentIds.length === 0) return { states: [], isUnderWay: false };
    try {
      const rows = await db
        .selectFrom('documents')
        .select(['id as documentId', 'status', 'stage', 'processingProgress', 'newChunks', 'chunkCount'])
        .select(['attempts', 'error', 'source'])
        .where(inReach(scope))
        .where('id', 'in', documentIds)
        .execute();
      const byId = new Map(rows.map(({ source: _, ...row }) => [row.documentId, row]));
      return {
        states: [...new Set(documentIds)].map((documentId) => toProgress(documentId, byId.get(documentId))),
        isUnderWay: rows.some(isUnderWay),
      };
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }
}

const toProgress = (documentId: string, row: object | undefined): DocumentProgress =>
  row ? ({ ...row } as DocumentProgress) : { documentId, status: 'deleted' };
