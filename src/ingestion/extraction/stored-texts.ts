import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import type { DocumentKey } from '../jobs/job-queue.js';
import type { ExtractedText } from './extraction-engine.js';

type StoredText = { key: string; mediaType: string; pages: string[] };
const toText = ({ mediaType, pages }: StoredText): ExtractedText => ({
  mediaType: mediaType as ExtractedText['mediaType'],
  pages,
});

/**
 * What an engine has read of a document, by the keys of its pictures.
 *
 * @param engine default: any
 */
export async function readTexts(
  db: Database,
  { tenantId, documentId }: DocumentKey,
  engine?: string,
): Promise<Map<string, ExtractedText>> {
  const rows = await db
    .selectFrom('extractedPictures')
    .select(['key', 'mediaType', 'pages'])
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .execute();
  return new Map(rows.map((row) => [row.key, toText(row)]));
}

/** What was read of a document, for a cache: changes with every text that is stored or deleted. */
export async function textVersions(
  db: Database,
  { tenantId, documentId }: DocumentKey,
): Promise<{ key: string; createdTime: Date }[]> {
  return db
    .selectFrom('extractedPictures')
    .select(['key', 'createdTime'])
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .orderBy('key')
    .execute();
}

/** What an engine has read of a picture, in whichever document of the tenant it is. */
export async function findText(
  db: Database,
  tenantId: string,
  { key, engine }: { key: string; engine: string },
): Promise<ExtractedText | undefined> {
  const row = await db
    .selectFrom('extractedPictures')
    .select(['key', 'mediaType', 'pages'])
    .where('tenantId', '=', tenantId)
    .where('key', '=', key)
    .where('engine', '=', engine)
    .limit(1)
    .executeTakeFirst();
  return row && toText(row);
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
      insert into extracted_pictures (tenant_id, document_id, key, engine, media_type, pages, created_time)
      select tenant_id, id, ${key}, ${engine}, ${mediaType}, ${pages}::jsonb, ${new Date()}::timestamptz from documents
      where tenant_id = ${tenantId} and id = ${documentId}
      on conflict (tenant_id, document_id, key) do update
      set engine = excluded.engine, media_type = excluded.media_type, pages = excluded.pages,
        created_time = excluded.created_time
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
  db: Queryable,
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
