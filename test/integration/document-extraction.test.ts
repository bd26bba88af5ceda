import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { startEngineServer } from '../support/engine-server.js';
import { httpExtraction } from '../support/extracted-documents.js';
import { scannedPdf } from '../support/scans/scanned-pdf.js';
import { DOCUMENTS } from './support/rest-client.js';

/* Who reads a document: chosen by its caller, stored, and respected by previews. */

const engine = await startEngineServer(({ method, headers }) => {
  if (method !== 'POST') return {};
  const isPicture = headers['content-type'] === 'image/png';
  const body = isPicture ? 'A purple walrus signs here.' : '# Delivery\n\nAll of it was read.';
  return { headers: { 'content-type': 'text/markdown' }, body };
});
const app = useApp({
  extraction: httpExtraction(engine.url, { pageQuota: 40 }),
});
const none = useApp({ role: 'api' });
afterAll(() => engine.close());

const gray = new Uint8Array(300 * 300).fill(255).fill(0, 500, 560);
const pdf = scannedPdf([{ gray, width: 300, height: 300 }]);
const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
const documentType = 'UnstructuredFile';
const documentContent = 'Herons stand in the water.';
const get = (documentId: string) => app.trpc().documents.get.query({ scope, documentId });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'succeeded',
    ({ data: { httpStatus, detail } }) => ({ httpStatus, detail }),
  );

async function create(fields: object = {}): Promise<string> {
  const given = { scope, documentType, documentContent, ...fields } as const;
  const { id } = await app.trpc().documents.create.mutate(given);
  await app.settle();
  return id;
}

/** A value that nobody knows. */
const novel = 'tesseract' as 'own';
const refusedAt = (...loc: (string | number)[]) => ({
  httpStatus: 422,
  detail: [{ type: 'value_error.invalid_value', loc, msg: expect.stringContaining('own') }],
});

describe('each write', () => {
  test('of a new document stores it, or leaves it to the server', async () => {
    const { documents } = app.trpc();
    const plain = await documents.create.mutate({ scope, documentType, documentContent });
    const chosen = await documents.create.mutate({ scope, documentType, documentContent, extraction: 'own' });
    expect([plain.extraction, chosen.extraction]).toEqual(['auto', 'own']);

    const { created } = await documents.createMany.mutate({
      scope,
      extraction: 'engine',
      documents: [{ documentContent }, { documentContent, extraction: 'own' }],
    });
    const { created: urls } = await documents.createMany.mutate({ scope, urls: ['http://pages.test/'] });
    const ids = [...created, ...urls].map(({ id }) => id);
    const many = await documents.getMany.query({ scope, documentIds: ids });
    expect(many.map(({ extraction }) => extraction)).toEqual(['engine', 'own', 'auto']);

    const upsert = (externalId: string, fields: object) =>
      documents.upsert.mutate({ scope, externalId, documentContent, ...fields });
    expect(await upsert('one', {})).toMatchObject({ created: true, extraction: 'auto' });
    expect(await upsert('two', { extraction: 'engine' })).toMatchObject({
      created: true,
      extraction: 'engine',
    });
    expect(await upsert('two', {})).toMatchObject({ created: false, extraction: 'engine' });
    expect(await upsert('two', { extraction: 'own' })).toMatchObject({ created: false, extraction: 'own' });
    const { items } = await documents.list.query({ scope, pageSize: 100 });
    expect(items.find(({ externalId }) => externalId === 'two')?.extraction).toBe('own');
  });

  test('of an existing one has it processed again where the value is another', async () => {
    const documentId = await create();
    const { documents } = app.trpc();
    const before = await get(documentId);
    expect(before).toMatchObject({ status: 'ready', extraction: 'auto' });
    const ref = { scope, documentId };
    expect(await documents.update.mutate({ ...ref, extraction: 'auto' })).toEqual({
      ...before,
      version: 2,
      updatedTime: expect.any(String),
    });
    expect(await documents.update.mutate({ ...ref, extraction: 'own' })).toEqual({
      ...before,
      version: 3,
      updatedTime: expect.any(String),
      extraction: 'own',
      status: 'created',
      processingProgress: 0,
      attempts: 0,
    });
    await app.settle();
    expect(await get(documentId)).toMatchObject({ status: 'ready', extraction: 'own', chunkCount: 1 });
  });

  test('of a scan gives it the chunks of whoever reads it', async () => {
    const { documents, files, chunks } = app.trpc();
    const { fileId } = await files.upload.mutate(new Blob([new Uint8Array(pdf)]));
    const file = { fileId, fileName: 'scan.pdf' };
    const documentId = await create({ documentContent: undefined, file, extraction: 'own' });
    const ref = { scope, documentId };
    const textsOf = async () =>
      (await chunks.list.query(ref)).items.map(({ content, metadata }) => [content, metadata.extracted_by]);
    expect(await get(documentId)).toMatchObject({ status: 'failed', error: { code: 'scanned' } });
    await documents.update.mutate({ ...ref, extraction: 'auto' });
    await app.settle();
    expect(await textsOf()).toEqual([['A purple walrus signs here.', 'http']]);
    await documents.reprocess.mutate({ ...ref, extraction: 'engine' });
    await app.settle();
    expect(await textsOf()).toEqual([['# Delivery\n\nAll of it was read.', 'http']]);
  });

  test('of processing changes it for good, or leaves it', async () => {
    const documentId = await create({ extraction: 'own' });
    const { documents } = app.trpc();
    const again = (fields: object) => documents.reprocess.mutate({ scope, documentId, ...fields });
    expect(await again({})).toMatchObject({ extraction: 'own', status: 'created' });
    expect(await again({ extraction: 'engine' })).toMatchObject({ extraction: 'engine', status: 'created' });
    await app.settle();
    const other = await create();
    await documents.reprocessMany.mutate({ scope, documentIds: [documentId, other] });
    expect([(await get(documentId)).extraction, (await get(other)).extraction]).toEqual(['engine', 'auto']);
    await documents.reprocessMany.mutate({ scope, documentIds: [documentId, other], extraction: 'own' });
    expect([(await get(documentId)).extraction, (await get(other)).extraction]).toEqual(['own', 'own']);
    await app.settle();
    const { items } = await documents.history.query({ scope, documentId });
    const changes = items.map(({ action, before, after }) => [action, before?.extraction, after?.extraction]);
    expect(changes).toEqual([
      ['documents.reprocessMany', 'engine', 'own'],
      ['documents.reprocessMany', undefined, undefined],
      ['documents.reprocess', 'own', 'engine'],
      ['documents.reprocess', undefined, undefined],
      ['documents.create', undefined, 'own'],
    ]);
  });

  test('of a page fetches it anew, whatever its server says of changes', async () => {
    const documentId = await create();
    const setValidator = () =>
      sql`update document_sources set etag = '"1"' where tenant_id = 'acme' and document_id = ${documentId}`.execute(
        app.db,
      );
    const readValidator = async () => {
      const { rows } = await sql<{ etag: string | null }>`
        select etag from document_sources where tenant_id = 'acme' and document_id = ${documentId}`.execute(
        app.db,
      );
      return rows[0]?.etag;
    };
    const { documents } = app.trpc();
    await setValidator();
    await documents.reprocess.mutate({ scope, documentId, extraction: 'auto' });
    expect(await readValidator()).toBe('"1"');
    await documents.reprocess.mutate({ scope, documentId, extraction: 'engine' });
    expect(await readValidator()).toBeNull();
    await setValidator();
    await documents.update.mutate({ scope, documentId, extraction: 'own' });
    expect(await readValidator()).toBeNull();
    await app.settle();
  });

  test('names the field of an unknown value', async () => {
    const documentId = await create();
    const { documents } = app.trpc();
    const extraction = novel;
    const calls = {
      create: documents.create.mutate({ scope, documentType, extraction }),
      createMany: documents.createMany.mutate({ scope, urls: [], extraction }),
      upsert: documents.upsert.mutate({ scope, externalId: 'three', extraction }),
      update: documents.update.mutate({ scope, documentId, extraction }),
      reprocess: documents.reprocess.mutate({ scope, documentId, extraction }),
      reprocessMany: documents.reprocessMany.mutate({ scope, documentIds: [documentId], extraction }),
      previewChunks: documents.previewChunks.mutate({ scope, documentContent, extraction }),
    };
    for (const [name, call] of Object.entries(calls))
      expect([name, await failureOf(call)]).toEqual([name, refusedAt('extraction')]);
    expect(
      await failureOf(documents.createMany.mutate({ scope, documents: [{ documentContent, extraction }] })),
    ).toEqual(refusedAt('documents', 0, 'extraction'));
  });

  test("does not touch another tenant's document, which is unknown", async () => {
    const documentId = await create();
    const theirs = { tenantId: 'other', tenantUnitId: 'sales' };
    const { documents } = app.trpc();
    const failures = (id: string) =>
      Promise.all([
        failureOf(documents.update.mutate({ scope: theirs, documentId: id, extraction: 'own' })),
        failureOf(documents.reprocess.mutate({ scope: theirs, documentId: id, extraction: 'own' })),
      ]);
    const [update, reprocess] = await failures(documentId);
    expect([update, reprocess]).toEqual(await failures('nobody'));
    expect(update).toMatchObject({ httpStatus: 404, detail: [{ loc: ['documentId'] }] });
    expect((await get(documentId)).extraction).toBe('auto');
  });
});

test('REST neither takes nor shows it', async () => {
  const { status, body } = await app.request('POST', DOCUMENTS, {
    query: { tenantId: 'acme' },
    body: { ...scope, documentType, documentContent, extraction: 'own' },
  });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('extraction');
  expect((await get(body.id)).extraction).toBe('auto');
  const changed = await app.request('PATCH', `${DOCUMENTS}/${body.id}`, {
    query: { tenantId: 'acme' },
    body: { enabled: false, extraction: 'own' },
  });
  expect([changed.status, changed.body.enabled]).toEqual([200, false]);
  expect(changed.body).not.toHaveProperty('extraction');
  expect(await get(body.id)).toMatchObject({ enabled: false, extraction: 'auto' });
});

describe('a preview of a scan', () => {
  const preview = async (fields: { extraction?: 'own' | 'auto' | 'engine' }) => {
    const { files, documents } = app.trpc();
    const { fileId } = await files.upload.mutate(new Blob([new Uint8Array(pdf)]));
    return documents.previewChunks.mutate({ scope, file: { fileId, fileName: 'scan.pdf' }, ...fields });
  };
  const read = {
    subType: 'pdf',
    chunkCount: 1,
    truncated: false,
    warnings: [],
    chunks: [
      {
        ordinal: 0,
        content: 'A purple walrus signs here.',
        contentComplement: '',
        keywords: expect.any(Object),
        page: 1,
        extractedBy: 'http',
      },
    ],
  };

  test('by the server is read by the engine', async () => {
    expect(await preview({})).toEqual(read);
    expect(await preview({ extraction: 'auto' })).toEqual(read);
  });

  test('by the engine is of the whole file', async () => {
    expect(await preview({ extraction: 'engine' })).toEqual({
      ...read,
      chunks: [
        { ...read.chunks[0], content: '# Delivery\n\nAll of it was read.', contentComplement: 'Delivery' },
      ],
    });
  });

  test('by Lectern alone has no text', async () => {
    engine.requests.length = 0;
    expect(await failureOf(preview({ extraction: 'own' }))).toEqual({
      httpStatus: 422,
      detail: [{ type: 'value_error.scanned', loc: ['file'], msg: expect.any(String) }],
    });
    expect(engine.requests).toEqual([]);
  });
});

describe('without an engine', () => {
  test('the choice of it is stored, for the day on which there is one', async () => {
    const given = { scope, documentType, documentContent, extraction: 'engine' } as const;
    const document = await none.trpc().documents.create.mutate(given);
    expect(document).toMatchObject({ extraction: 'engine', status: 'created' });
  });
});

describe('callers are told', () => {
  let used: number;
  beforeAll(async () => {
    await sql`
      insert into extraction_usage (tenant_id, pages) values ('counted', 7), ('full', 40)`.execute(app.db);
    used = 7;
  });

  test('which engine there is', async () => {
    expect((await app.trpc().session.get.query()).server.extraction).toEqual({ engine: 'http' });
    expect((await none.trpc().session.get.query()).server.extraction).toBeNull();
  });

  test('how many pages engines have read for a tenant, and how many they may', async () => {
    const usage = async (tenantId: string, one = app) =>
      (await one.trpc().overview.usage.query({ scope: { tenantId } }))?.extractedPages;
    expect(await usage('counted')).toEqual({ used, limit: 40 });
    expect(await usage('nobody')).toEqual({ used: 0, limit: 40 });
    expect(await usage('counted', none)).toEqual({ used: 0, limit: null });
  });

  test('as metrics, how many tenants have used their pages', async () => {
    const text = await (await fetch(`${app.address}/metrics`)).text();
    const value = (atLeast: string) =>
      text.match(
        new RegExp(
          `^lectern_tenants_by_quota_used\\{resource="extracted_pages",at_least="${atLeast}"\\} (\\d+)$`,
          'm',
        ),
      )?.[1];
    expect([value('0.9'), value('1')]).toEqual(['1', '1']);
  });
});
