import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import type { DocumentKey } from '../jobs/job-queue.js';
import type { ExtractedText } from './extraction-engine.js';

type StoredText = { key: string; mediaType: string; pages: string[] };
const toText = ({ mediaType, pages }: StoredText): ExtractedText => ({
  mediaType: mediaType as ExtractedText['mediaType'],
  pages,
});

/** What an engine has read of a document, by the keys of its pictures. */
export async function readTexts(
  db: Database,
  { tenantId, documentId }: DocumentKey,
  engine: string,
): Promise<Map<string, ExtractedText>> {
  const rows = await db
    .selectFrom('extractedPictures')
    .select(['key', 'mediaType', 'pages'])
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .where('engine', '=', engine)
    .execute();
  return new Map(rows.map((row) => [row.key, toText(row)]));
}

/**
 * What an engine has read of pictures, in whichever document of the tenant they are.
 *
 * @param engine undefined: any
 */
export async function findTexts(
  db: Database,
  tenantId: string,
  { keys, engine }: { keys: readonly string[]; engine?: string },
): Promise<Map<string, ExtractedText>> {
  const rows = await db
    .selectFrom('extractedPictures')
    .distinctOn('key')
    .select(['key', 'mediaType', 'pages'])
    .where('tenantId', '=', tenantId)
    .where(sql<boolean>`key = any(${keys})`)
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .orderBy('key')
    .orderBy('createdTime', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.key, toText(row)]));
}

/** Whether an engine has read anything that is still kept of a tenant. */
export async function hasTexts(db: Database, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('extractedPictures')
    .select('key')
    .where('tenantId', '=', tenantId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Keeps what an engine has read, and counts its pages. The text goes with the document, which may be gone already.
 *
 * @param options.counted pages that the engine was asked for now: 0 where the text was found
 */
export async function storeText(
  db: Database,
  { tenantId, documentId }: DocumentKey,
  { key, engine, text, counted }: { key: string; engine: string; text: ExtractedText; counted: number },
): Promise<void> {
  const { mediaType } = text;
  const pages = JSON.stringify(text.pages);
  await tenantTransaction(db, tenantId, async (tx) => {
    await sql`
      insert into extracted_pictures (tenant_id, document_id, key, engine, media_type, pages)
      select tenant_id, id, ${key}, ${engine}, ${mediaType}, ${pages}::jsonb from documents
      where tenant_id = ${tenantId} and id = ${documentId}
      on conflict (tenant_id, document_id, key) do update
      set engine = excluded.engine, media_type = excluded.media_type, pages = excluded.pages, created_time = now()
    `.execute(tx);
    if (counted === 0) return;
    await sql`
      insert into extraction_usage as u (tenant_id, pages) values (${tenantId}, ${counted})
      on conflict (tenant_id) do update set pages = u.pages + excluded.pages
    `.execute(tx);
  });
}

/** Forgets pictures that a document no longer has. */
export async function deleteTexts(
  db: Database,
  { tenantId, documentId }: DocumentKey,
  kept: string[] = [],
): Promise<void> {
  await db
    .deleteFrom('extractedPictures')
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .$if(kept.length > 0, (query) => query.where(sql<boolean>`key <> all (${kept})`))
    .execute();
}

/** How many pages engines have read for a tenant. */
export async function countExtractedPages(db: Database, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('extractionUsage')
    .select('pages')
    .where('tenantId', '=', tenantId)
    .executeTakeFirst();
  return Number(row?.pages ?? 0);
}
