import { createHash } from 'node:crypto';
import type { DocumentType, Queryable } from '../../../db/schema.js';
import type { Files } from '../files/files.js';
import type { Actor } from '../shared/actor.js';
import type { TenantUnitRef } from '../shared/tenant-scope.js';

/** What a request says of where a document's text comes from. */
export interface SourceInput {
  documentContent?: string | undefined;
  storageBucket?: string | undefined;
  storagePath?: string | undefined;
  url?: string | undefined;
  file?: { fileId: string; fileName?: string | undefined; mediaType?: string | undefined } | undefined;
}

export type SourceKind = 'none' | 'content' | 'file' | 'storage' | 'url';

/** Inline content comes first, then a file, a storage location, a URL; empty content counts as none. */
export function sourceKind(given: SourceInput): SourceKind {
  if (given.documentContent) return 'content';
  if (given.file) return 'file';
  if (given.storageBucket) return 'storage';
  return given.url ? 'url' : 'none';
}

/** The type of a document whose caller has chosen none. */
export const defaultDocumentType = (kind: string): DocumentType =>
  kind === 'url' ? 'UnstructuredWebpage' : 'UnstructuredFile';

/**
 * What a document's source is after a change of it.
 * Unspecified: a new URL without content takes the place of the content that was there; when content is emptied,
 * the storage location or URL on record serves again.
 */
export function sourceAfterChange(
  existing: { storageBucket: string | null; storagePath: string | null; url: string | null },
  given: SourceInput,
): SourceInput {
  if (given.documentContent || given.url) return { documentContent: given.documentContent, url: given.url };
  const { storageBucket, storagePath, url } = existing;
  return {
    storageBucket: storageBucket ?? undefined,
    storagePath: storagePath ?? undefined,
    url: url ?? undefined,
  };
}

export const hashContent = (content: string): string => createHash('sha256').update(content).digest('hex');

/** What is on record of where a document's text is, without the text. */
export const findStoredSource = (tx: Queryable, document: { tenantId: string; id: string }) =>
  tx
    .selectFrom('documentSources')
    .select(['fileKey', 'contentHash'])
    .where('tenantId', '=', document.tenantId)
    .where('documentId', '=', document.id)
    .executeTakeFirst();

/**
 * Writes the source row of a document, in the document's transaction.
 *
 * @returns the key of a file that is no longer used, to be removed after the commit
 */
export async function saveSource(
  tx: Queryable,
  document: TenantUnitRef & { id: string },
  given: SourceInput,
  { files, actor }: { files: Pick<Files, 'claim'>; actor: Actor },
): Promise<string | null> {
  const { tenantId } = document;
  const upload =
    sourceKind(given) === 'file' && given.file
      ? await files.claim(tx, { tenantId, actor }, given.file)
      : undefined;
  const content = given.documentContent || null;
  const former = await findStoredSource(tx, document);
  const values = {
    content,
    contentHash: content ? hashContent(content) : (upload?.sha256 ?? null),
    fileKey: upload?.fileKey ?? null,
    fileName: upload ? (given.file?.fileName ?? null) : null,
    mediaType: upload ? (given.file?.mediaType ?? null) : null,
    sizeBytes: content ? Buffer.byteLength(content) : (upload?.sizeBytes ?? null),
    lastModified: null,
    etag: null,
    httpLastModified: null,
  };
  await tx
    .insertInto('documentSources')
    .values({
      tenantId: document.tenantId,
      tenantUnitId: document.tenantUnitId,
      documentId: document.id,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['tenantId', 'documentId']).doUpdateSet(values))
    .execute();
  return former?.fileKey ?? null;
}

/** Writes the source rows of new documents, none of which is a file. */
export async function saveSources(
  tx: Queryable,
  { tenantId, tenantUnitId }: TenantUnitRef,
  documents: { id: string; documentContent?: string | undefined }[],
): Promise<void> {
  const values = documents.map(({ id, documentContent }) => ({
    tenantId,
    tenantUnitId,
    documentId: id,
    content: documentContent || null,
    contentHash: documentContent ? hashContent(documentContent) : null,
    sizeBytes: documentContent ? Buffer.byteLength(documentContent) : null,
  }));
  await tx.insertInto('documentSources').values(values).execute();
}

/** Has a URL fetched and processed whatever its server says of the version that was processed last. */
export async function clearHttpValidators(
  tx: Queryable,
  tenantId: string,
  documentIds: string[],
): Promise<void> {
  await tx
    .updateTable('documentSources')
    .set({ etag: null, httpLastModified: null })
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', documentIds)
    .execute();
}
