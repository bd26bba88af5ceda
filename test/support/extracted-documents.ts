import { sql } from 'kysely';
import { expect } from 'vitest';
import type { ExtractionSettings } from '../../src/ingestion/extraction/extraction-settings.js';
import { readSourceText } from '../integration/support/source-text.js';
import type { useApp } from './app.js';
import { extractionLimits } from './extraction-files.js';
import { waitFor } from './wait-for.js';

/** Settings of an engine with the API of our own, as `startEngineServer` gives its address. */
export const httpExtraction = (url: string, more: Partial<ExtractionSettings> = {}) =>
  ({
    ...extractionLimits,
    api: 'http',
    url: `${url}/extract`,
    extractionFor: ['scans'],
    timeoutMs: 10_000,
    concurrency: 2,
    maxFileBytes: 2 ** 24,
    ...more,
  }) as ExtractionSettings;

/** Documents of an app with an extraction engine. */
export function extractedDocuments(app: ReturnType<typeof useApp>) {
  return { scopeOf, upload, get, chunksOf, sourceOf, countOutages, settleWithoutPauses };

  async function upload(tenantId: string, bytes: Buffer, name: string): Promise<string> {
    const form = new FormData();
    form.set('tenantId', tenantId);
    form.set('tenantUnitId', 'unit');
    form.set('documentType', 'UnstructuredFile');
    form.set('datasetIds', 'set');
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    const { status, body } = await app.request('POST', '/admin/api/v1/documents/upload', { body: form });
    expect([status, body.status]).toEqual([200, 'created']);
    return body.id;
  }

  function get(tenantId: string, documentId: string) {
    return app.trpc().documents.get.query({ scope: scopeOf(tenantId), documentId });
  }

  /** Page, engine and content of each. */
  async function chunksOf(tenantId: string, documentId: string) {
    const scope = scopeOf(tenantId);
    const { items } = await app.trpc().chunks.list.query({ scope, documentId, pageSize: 100 });
    return items.map(({ content, metadata }) => [metadata.page_number, metadata.extracted_by, content]);
  }

  function sourceOf(tenantId: string, documentId: string) {
    return readSourceText(app.trpc().documents, { scope: scopeOf(tenantId), documentId, pages: 3 });
  }

  /** Of the engine, that the job of a tenant has met. */
  async function countOutages(tenantId: string): Promise<number> {
    const { rows } = await sql<{ outages: number }>`
      select outages from processing_jobs where tenant_id = ${tenantId}`.execute(app.db);
    return rows[0]?.outages ?? 0;
  }

  /** Takes the pauses of jobs that wait for the engine, for the time of a call. */
  async function settleWithoutPauses(): Promise<void> {
    await waitFor(
      async () => {
        await sql`update processing_jobs set next_attempt_time = null where next_attempt_time is not null`.execute(
          app.db,
        );
        return app.app.isIdle();
      },
      { what: 'all documents to be processed' },
    );
  }
}

const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });
