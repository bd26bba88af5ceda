import type { Queryable } from '../../../db/schema.js';
import {
  conversationListChanges,
  documentListChanges,
  listedConversationColumns,
  listedDocumentColumns,
} from '../../derived-data/list-changes.js';
import { type Counts, writeCounts } from '../../derived-data/write-counts.js';

interface CountedTable {
  columns: readonly string[];
  count: (rows: never[], tenantId: string) => Counts;
}

interface StoredRow {
  sizeBytes: number | null;
}

const stored: CountedTable = {
  columns: ['sizeBytes'],
  count: (rows: StoredRow[], tenantId) => ({
    usage: [{ tenantId, bytes: -rows.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0) }],
  }),
};

/** Tables whose rows are counted, and what deleting some of them changes. */
const COUNTED: Partial<Record<string, CountedTable>> = {
  conversations: {
    columns: listedConversationColumns,
    count: (before: never[]) => ({ lists: conversationListChanges({ before, isOfManyTimes: true }) }),
  },
  documents: {
    columns: listedDocumentColumns,
    count: (before: never[], tenantId) => ({
      usage: [{ tenantId, documents: -before.length }],
      lists: documentListChanges({ before, isOfManyTimes: true }),
    }),
  },
  chunks: {
    columns: [],
    count: (rows, tenantId) => ({ usage: [{ tenantId, chunks: -rows.length }] }),
  },
  document_sources: stored,
  uploads: stored,
};

/** The columns of deleted rows that `countDeleted` needs. */
export const countedColumns = (table: string): readonly string[] => COUNTED[table]?.columns ?? [];

/** Counts that rows of a tenant were deleted, in the transaction that has done so. */
export async function countDeleted(
  tx: Queryable,
  table: string,
  tenantId: string,
  rows: unknown[],
): Promise<void> {
  if (rows.length > 0) await writeCounts(tx, COUNTED[table]?.count(rows as never[], tenantId) ?? {});
}
