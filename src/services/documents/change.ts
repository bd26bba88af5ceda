import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { DocumentTable, Queryable } from '../../../db/schema.js';
import { describeChange } from '../../derived-data/describe-documents.js';
import { documentListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { toStoredDatasets } from '../../derived-data/write-datasets.js';
import type { JobQueue } from '../../ingestion/jobs/job-queue.js';
import { writeDocumentChange, writeDocumentDescription } from '../../search/indexing/index-writer.js';
import type { Files } from '../files/files.js';
import { type Actor, authorOf } from '../shared/actor.js';
import type { Quotas } from '../shared/quotas.js';
import { toStoredChunking } from './chunking.schema.js';
import type { DocumentChanges } from './documents.schema.js';
import { removeChunks } from './remove-chunks.js';
import { type DocumentRow, restartedColumns } from './rows.js';
import {
  clearHttpValidators,
  defaultDocumentType,
  findStoredSource,
  hashContent,
  replaceSource,
  type SourceInput,
  sourceAfterChange,
  sourceKind,
} from './source.js';

export interface DocumentChangeDependencies {
  clock: () => Date;
  files: Pick<Files, 'claim'>;
  jobs: Pick<JobQueue, 'enqueue'>;
  quotas: Pick<Quotas, 'assertWithinQuota' | 'assertRoomForChunks'>;
}

const FIELDS = [
  'documentName',
  'title',
  'category',
  'customProperties',
  'enabled',
  'url',
  'documentContent',
  'chunking',
  'extraction',
] as const;

/** What a search index has of a document. */
const DESCRIPTION = ['documentName', 'title', 'customProperties', 'documentType'] as const;

const WITHOUT_CHUNKS = { chunkCount: 0, warnings: '[]' };

type Changes = Partial<Pick<DocumentChanges, (typeof FIELDS)[number] | 'datasetIds'>>;

/** Unspecified: an empty change updates nothing, not even time and version. */
export const isEmptyChange = (given: Changes): boolean =>
  given.datasetIds === undefined && FIELDS.every((field) => given[field] === undefined);

/** Changes of existing documents. */
export function createDocumentChange({ clock, files, jobs, quotas }: DocumentChangeDependencies) {
  return { change };

  /**
   * Updates a locked document; enqueues processing if its source, its chunking or who reads it changed.
   *
   * @returns the row, and the storage key of the file that it no longer uses
   */
  async function change(
    tx: Queryable,
    existing: DocumentRow,
    given: Changes,
    actor: Actor,
  ): Promise<{ row: Selectable<DocumentTable>; unused: string | null }> {
    const isNewSource = await changesSource(tx, existing, given);
    const chunking = toStoredChunking(given.chunking);
    const isNewChunking = given.chunking !== undefined && chunking !== toStoredChunking(existing.chunking);
    const { extraction } = given;
    const isNewReader = extraction !== undefined && extraction !== existing.extraction;
    const hasOtherChunks = isNewChunking || isNewReader;
    const source = sourceAfterChange(existing, given);
    const kind = isNewSource ? sourceKind(source) : existing.source;
    const datasetIds = given.datasetIds && toStoredDatasets(given.datasetIds);
    const isInNewDatasets = datasetIds !== undefined && !isDeepStrictEqual(datasetIds, existing.datasetIds);
    const row = await tx
      .updateTable('documents')
      .set((eb) => ({
        ...(given.documentName !== undefined && { documentName: given.documentName }),
        ...(given.title !== undefined && { title: given.title }),
        ...(given.category !== undefined && { category: given.category }),
        ...(given.customProperties && { customProperties: JSON.stringify(given.customProperties) }),
        ...(given.enabled !== undefined && { enabled: given.enabled }),
        ...(given.url !== undefined && { url: given.url }),
        ...(isNewChunking && { chunking }),
        ...(isNewReader && { extraction }),
        ...(isInNewDatasets && { datasetIds, datasetsRevision: eb('datasetsRevision', '+', 1) }),
        ...(isNewSource && { source: kind, sniffedSubType: null, ...(kind === 'none' && WITHOUT_CHUNKS) }),
        // Unspecified: documents with an external id were made by upsert, whose callers choose no type.
        ...(isNewSource && existing.externalId !== null && { documentType: defaultDocumentType(kind) }),
        ...((isNewSource || (hasOtherChunks && kind !== 'none')) && restartedColumns(eb)),
        version: eb('version', '+', 1),
        updatedTime: clock(),
        updatedBy: authorOf(actor),
      }))
      .where('tenantId', '=', existing.tenantId)
      .where('id', '=', existing.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const replaced = isNewSource ? await replaceSource(tx, row, source, { files, actor }) : undefined;
    await describeChange(tx, { before: existing, after: row });
    const gone = isNewSource && kind === 'none' ? await removeChunks(tx, row.tenantId, row.id) : 0;
    await writeCounts(tx, {
      usage: [...(replaced?.usage ?? []), { tenantId: row.tenantId, chunks: -gone }],
      lists: documentListChanges({ before: [existing], after: [row] }),
    });
    if (kind === 'content' && isNewSource) await quotas.assertWithinQuota(tx, row.tenantId, ['bytes']);
    if (hasOtherChunks) await clearHttpValidators(tx, row.tenantId, [row.id]);
    if (row.enabled !== existing.enabled || isInNewDatasets) {
      await writeDocumentChange(tx, { tenantId: row.tenantId, documentId: row.id });
    } else if (DESCRIPTION.some((field) => !isDeepStrictEqual(row[field], existing[field]))) {
      await writeDocumentDescription(tx, { tenantId: row.tenantId, documentId: row.id });
    }
    if ((isNewSource || hasOtherChunks) && kind !== 'none') {
      const { sizeBytes = null } = replaced ?? (await findStoredSource(tx, row)) ?? {};
      await jobs.enqueue(tx, row.tenantId, [{ documentId: row.id, sizeBytes }]);
    }
    return { row, unused: replaced?.unused ?? null };
  }

  async function changesSource(tx: Queryable, existing: DocumentRow, given: SourceInput): Promise<boolean> {
    // Retry failed documents even with the same source.
    const again = existing.status === 'failed' || existing.source === 'none';
    // Emptying content only applies to documents with inline content.
    if (given.documentContent || (given.documentContent === '' && existing.source === 'content')) {
      if (again) return true;
      const source = await findStoredSource(tx, existing);
      return (
        existing.source !== 'content' || source?.contentHash !== (await hashContent(given.documentContent))
      );
    }
    // Unspecified: a new URL without content takes the place of the content that was there.
    return given.url !== undefined && (again || given.url !== existing.url);
  }
}
