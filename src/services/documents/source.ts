import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DocumentType, SourceKind } from '../../../db/enums.js';
import type { Queryable } from '../../../db/schema.js';
import { encodeText } from '../../async/encode-text.js';
import type { UsageChange } from '../../derived-data/write-counts.js';
import type { Files } from '../files/files.js';
import type { Actor } from '../shared/actor.js';
import type { TenantUnitRef } from '../shared/tenant-scope.js';

/** The source of a document in a request. */
export interface SourceInput {
  documentContent?: string | undefined;
  storageBucket?: string | undefined;
  storagePath?: string | undefined;
  url?: string | undefined;
  file?: { fileId: string; fileName?: string | undefined; mediaType?: string | undefined } | undefined;
}

/** Inline content comes first, then a file, a storage location, a URL; empty content counts as none. */
export function sourceKind(given: SourceInput): SourceKind {
  if (given.documentContent) return 'content';
  if (given.file) return 'file';
  if (given.storageBucket) return 'storage';
  return given.url ? 'url' : 'none';
}

/** Default document type by source. */
export const defaultDocumentType = (kind: SourceKind): DocumentType =>
  kind === 'url' ? 'UnstructuredWebpage' : 'UnstructuredFile';

/**
 * The effective source after a change. Unspecified: a new URL without content takes the place of the content
 * that was there; when content is emptied, the stored location or URL is used again.
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

/** What is stored of a text. It is sent as bytes: pg would encode all of it at once. */
async function toContentColumns(content: string | null | undefined) {
  if (!content) return { content: null, contentHash: null, sizeBytes: null };
  const bytes = await encodeText(content);
  return { content: sql<string>`${bytes}`, contentHash: hash(bytes), sizeBytes: bytes.length };
}

export const hashContent = async (content: string): Promise<string> => hash(await encodeText(content));

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The stored source, without text. */
export const findStoredSource = (tx: Queryable, document: { tenantId: string; id: string }) =>
  tx
    .selectFrom('documentSources')
    .select(['fileKey', 'contentHash', 'sizeBytes'])
    .where('tenantId', '=', document.tenantId)
    .where('documentId', '=', document.id)
    .executeTakeFirst();

/** The sizes of stored sources, by the ids of their documents; those that are elsewhere have none. */
export async function readSizes(
  tx: Queryable,
  tenantId: string,
  documentIds: string[],
): Promise<Map<string, number | null>> {
  const rows = await tx
    .selectFrom('documentSources')
    .select(['documentId', 'sizeBytes'])
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', documentIds)
    .execute();
  return new Map(rows.map(({ documentId, sizeBytes }) => [documentId, sizeBytes]));
}

/**
 * Replaces the source row of a document, in the document's transaction. The caller counts the usage.
 *
 * @returns storage key of the previous file, to be removed after commit; the size, and what the tenants have more
 */
export async function replaceSource(
  tx: Queryable,
  document: TenantUnitRef & { id: string },
  given: SourceInput,
  dependencies: { files: Pick<Files, 'claim'>; actor: Actor },
): Promise<{ unused: string | null; sizeBytes: number | null; usage: UsageChange[] }> {
  const former = await findStoredSource(tx, document);
  const { sizeBytes, usage } = await saveSource(tx, document, given, dependencies);
  usage.push({ tenantId: document.tenantId, bytes: -(former?.sizeBytes ?? 0) });
  return { unused: former?.fileKey ?? null, sizeBytes, usage };
}

/**
 * Writes the source row of a document, in the document's transaction. The caller counts the usage.
 *
 * @returns the size of what is stored, if anything is; what the tenant has more, and whoever had the file less
 */
export async function saveSource(
  tx: Queryable,
  document: TenantUnitRef & { id: string },
  given: SourceInput,
  { files, actor }: { files: Pick<Files, 'claim'>; actor: Actor },
): Promise<{ sizeBytes: number | null; usage: UsageChange[] }> {
  const { tenantId } = document;
  const upload =
    sourceKind(given) === 'file' && given.file
      ? await files.claim(tx, { tenantId, actor }, given.file)
      : undefined;
  const values = {
    ...(await toContentColumns(given.documentContent)),
    ...(upload && { contentHash: upload.sha256, sizeBytes: upload.sizeBytes }),
    fileKey: upload?.fileKey ?? null,
    fileName: upload ? (given.file?.fileName ?? null) : null,
    mediaType: upload ? (given.file?.mediaType ?? null) : null,
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
  const { sizeBytes } = values;
  const usage = [
    { tenantId, bytes: sizeBytes ?? 0 },
    ...(upload ? [{ tenantId: upload.tenantId, bytes: -upload.sizeBytes }] : []),
  ];
  return { sizeBytes, usage };
}

/** Writes the source rows of new documents, none of which is a file. @returns the sizes of their texts, null without one */
export async function saveSources(
  tx: Queryable,
  { tenantId, tenantUnitId }: TenantUnitRef,
  documents: { id: string; documentContent?: string | undefined }[],
): Promise<(number | null)[]> {
  const values = [];
  for (const { id, documentContent } of documents) {
    const columns = await toContentColumns(documentContent);
    values.push({ tenantId, tenantUnitId, documentId: id, ...columns });
  }
  await tx.insertInto('documentSources').values(values).execute();
  return values.map(({ sizeBytes }) => sizeBytes);
}

/** Clears ETag and Last-Modified, so that the next fetch is unconditional. */
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
