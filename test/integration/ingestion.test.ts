import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';

interface Chunk {
  id: string;
  documentId: string;
  content: string;
  status: string;
  keywords: Record<string, number>;
  metadata: { page_number: number; languages: string[] };
}

const app = useApp();
const {
  createDocument,
  deleteChunks,
  editChunk,
  getDocument,
  listChunks,
  patchDocument,
  search,
  switchChunk,
  upload,
} = createRestClient(app);

const fixture = async (name: string) =>
  new Uint8Array(await readFile(`packages/file-to-markdown/test/fixtures/${name}`));
const inDetail = (documentId: string) =>
  app.trpc().documents.get.query({ scope: { tenantId: TENANT_UNIT.tenantId }, documentId });

async function ingest(fields: object): Promise<string> {
  const { id } = await createDocument({ ...fields }, ['faq']);
  await app.settle();
  return id;
}

async function ingestFile(name: string): Promise<string> {
  const { id } = await upload(await fixture(name), name, { datasetIds: 'faq' });
  await app.settle();
  return id;
}

// As test/citus/not-on-a-cluster.ts says.
describe.skipIf(process.env.CITUS_URL)('progress', () => {
  interface Step {
    status: string;
    progress: number;
    attempts: number;
    revision: number;
    stage: string | null;
  }

  beforeAll(async () => {
    // Every state that a document was in, as the database saw it.
    await sql`
      create table document_log (id bigint generated always as identity, document_id text, status text,
        progress int, attempts int, revision int, stage text);
      create function log_document() returns trigger language plpgsql security definer as $$
      begin
        insert into document_log (document_id, status, progress, attempts, revision, stage)
        values (new.id, new.status, new.processing_progress, new.attempts, new.revision, new.stage);
        return new;
      end $$;
      create trigger log_document after insert or update on documents
        for each row execute function log_document();
    `.execute(app.db);
  });

  async function stepsOf(documentId: string): Promise<Step[]> {
    const { rows } = await sql<Step>`
      select status, progress, attempts, revision, stage from document_log
      where document_id = ${documentId} order by id
    `.execute(app.db);
    return rows;
  }

  const withoutRepeats = (values: string[]) => values.filter((value, i) => value !== values[i - 1]);

  test.each([
    ['contract.pdf', 'ready'],
    ['bullets.pptx', 'ready'],
    ['scanned.pdf', 'failed'],
  ])('of %s only rises, from created to %s', async (name, end) => {
    const steps = await stepsOf(await ingestFile(name));
    expect(withoutRepeats(steps.map(({ status }) => status))).toEqual(['created', 'processing', end]);
    const progress = steps.map((step) => step.progress);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress[0]).toBe(0);
    expect(steps.map((step) => step.progress === 100)).toEqual(steps.map(({ status }) => status === 'ready'));
    expect(steps[0]).toMatchObject({ attempts: 0, stage: null });
    expect(steps.at(-1)).toMatchObject({ attempts: 1, stage: null });
  });

  test('begins anew with new content', async () => {
    const id = await ingest({ documentContent: 'First.' });
    await patchDocument(id, { documentContent: 'Second.' });
    await app.settle();
    const steps = await stepsOf(id);
    // What is tiny and new is ready as soon as it is stored.
    expect(withoutRepeats(steps.map(({ status }) => status))).toEqual([
      'created',
      'ready',
      'created',
      'processing',
      'ready',
    ]);
    for (const revision of [1, 2]) {
      const progress = steps.filter((step) => step.revision === revision).map((step) => step.progress);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect([progress[0], progress.at(-1)]).toEqual([0, 100]);
    }
  });
});

describe('chunks', () => {
  test('tell all there is to tell', async () => {
    const id = await ingest({
      documentName: 'gulls.md',
      documentContent: '# Gulls\n\nGulls follow the plough.',
    });
    const { createdTime } = await getDocument(id);
    expect(await listChunks(id)).toStrictEqual([
      {
        id: UUID,
        documentId: id,
        ...TENANT_UNIT,
        content: '# Gulls\n\nGulls follow the plough.',
        contentComplement: 'Gulls',
        keywords: { Gulls: 1, plough: expect.any(Number) },
        status: 'active',
        createdTime: TIME,
        updatedTime: TIME,
        metadata: {
          file_directory: '',
          filename: 'gulls.md',
          filetype: 'text/markdown',
          languages: ['en'],
          last_modified: createdTime,
          page_number: 1,
        },
      },
    ]);
    expect(await inDetail(id)).toMatchObject({ chunkCount: 1, attempts: 1, stage: null, error: null });
  });

  test('of a PDF know their page', async () => {
    const id = await ingestFile('chinese.pdf');
    const chunks: Chunk[] = await listChunks(id);
    expect(chunks.map(({ metadata }) => metadata.page_number)).toEqual([1, 1, 2]);
    const { createdTime } = await getDocument(id);
    expect(chunks[2]?.metadata).toStrictEqual({
      file_directory: '',
      filename: 'chinese.pdf',
      filetype: 'application/pdf',
      languages: ['zh'],
      last_modified: createdTime,
      page_number: 2,
    });
    expect(chunks[2]?.content).toContain('第二章');
    expect(await getDocument(id)).toMatchObject({ documentSubType: 'pdf', processingProgress: 100 });
  });

  test('of a longer PDF are in the order of its pages, and count', async () => {
    const id = await ingestFile('contract.pdf');
    const chunks: Chunk[] = await listChunks(id);
    const pages = chunks.map(({ metadata }) => metadata.page_number);
    expect(pages).toEqual(pages.toSorted((a, b) => a - b));
    expect(pages[0]).toBe(1);
    expect(new Set(pages).size).toBeGreaterThan(3);
    expect(await inDetail(id)).toMatchObject({ chunkCount: chunks.length });
    expect(chunks.filter(({ content }) => /^\d+\. INDEMNIFICATION/m.test(content))).toMatchObject([
      { metadata: { page_number: 3 } },
    ]);
  });

  test('are told in both languages, keywords included', async () => {
    const english =
      'The harbour master keeps a list of ships. Ships that are on the list may enter the harbour.';
    const chinese = '港口管理员保存船舶名单。名单上的船舶可以进入港口。';
    const ids = [await ingest({ documentContent: english }), await ingest({ documentContent: chinese })];
    const [[en], [zh]] = [await listChunks(ids[0] as string), await listChunks(ids[1] as string)];
    expect(en.metadata.languages).toEqual(['en']);
    expect(zh.metadata.languages).toEqual(['zh']);
    expect(Object.keys(en.keywords)).toEqual(expect.arrayContaining(['ships', 'harbour']));
    expect(Object.keys(en.keywords)).not.toContain('the');
    expect(Object.keys(zh.keywords)).toEqual(expect.arrayContaining(['船舶', '名单', '港口']));
    for (const weight of Object.values({ ...en.keywords, ...zh.keywords })) {
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThanOrEqual(1);
    }
  });

  test('are typed by what the content is, whatever the name says', async () => {
    const { id } = await upload(await fixture('headings.docx'), 'really.pdf');
    const named = await ingest({ documentSubType: 'Handbook', documentContent: '{"a": "some text"}' });
    await app.settle();
    expect(await getDocument(id)).toMatchObject({ status: 'ready', documentSubType: 'docx' });
    expect(await getDocument(named)).toMatchObject({ status: 'ready', documentSubType: 'Handbook' });
    expect(await listChunks(named)).toMatchObject([{ metadata: { filetype: 'application/json' } }]);
  });
});

describe('failure', () => {
  test.each([
    ['empty.pdf', 'empty_text'],
    ['scanned.pdf', 'scanned'],
    ['encrypted.pdf', 'encrypted'],
    ['encrypted.xlsx', 'encrypted'],
    ['empty.xlsx', 'empty_text'],
    ['bomb.docx', 'too_large'],
  ])('of %s is %s, told in words, at once', async (name, code) => {
    const id = await ingestFile(name);
    expect(await inDetail(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      chunkCount: 0,
      stage: null,
      error: { code, stage: 'parsing', message: expect.stringMatching(/^.{20,200}\.$/), retryable: false },
    });
    const document = await getDocument(id);
    expect(document).toMatchObject({ status: 'failed' });
    expect(document).not.toHaveProperty('error');
    expect(document.processingProgress).toBeLessThan(100);
    expect(await listChunks(id)).toEqual([]);
  });

  test.each([
    ['blanks', ' \n\t '],
    ['punctuation', '--- *** ---'],
  ])('of content that is only %s is empty_text', async (_, documentContent) => {
    const id = await ingest({ documentContent });
    expect(await inDetail(id)).toMatchObject({ status: 'failed', error: { code: 'empty_text' } });
  });

  test('of bytes that are nothing known is unsupported_type', async () => {
    const { id } = await upload(
      new Uint8Array(300).map((_, i) => (i * 7919) % 256),
      'noise.txt',
    );
    await app.settle();
    expect(await inDetail(id)).toMatchObject({ status: 'failed', error: { code: 'unsupported_type' } });
  });
});

describe('another text', () => {
  const part = (name: string, text = `All about ${name}.`) => `# ${name}\n\n${text}`;
  const book = (...parts: string[]) => parts.join('\n\n');
  const contentsOf = (chunks: Chunk[]) => chunks.map(({ content }) => content);
  const without = ({ updatedTime: _, ...chunk }: Chunk & { updatedTime?: string }) => chunk;

  async function ingestBook(...parts: string[]): Promise<{ id: string; chunks: Chunk[] }> {
    const id = await ingest({ documentName: 'book.md', documentContent: book(...parts) });
    const chunks = await listChunks(id);
    expect(contentsOf(chunks)).toEqual(parts);
    return { id, chunks };
  }

  async function rewrite(id: string, ...parts: string[]): Promise<Chunk[]> {
    await patchDocument(id, { documentContent: book(...parts) });
    await app.settle();
    expect(await getDocument(id)).toMatchObject({ status: 'ready' });
    return listChunks(id);
  }

  test('keeps the chunks that stay, in their new places, and makes only the others anew', async () => {
    const { id, chunks } = await ingestBook(part('ants'), part('bees'), part('cats'));
    const [ants, bees] = chunks as [Chunk, Chunk];
    const now = await rewrite(id, part('bees'), part('dogs'), part('ants'));
    expect(contentsOf(now)).toEqual([part('bees'), part('dogs'), part('ants')]);
    expect(now[0]).toStrictEqual(bees);
    expect(now[2]).toStrictEqual(ants);
    expect(chunks.map((chunk) => chunk.id)).not.toContain(now[1]?.id);
    expect(await inDetail(id)).toMatchObject({ chunkCount: 3 });
    expect((await search('cats')).map((hit: { document_id: string }) => hit.document_id)).not.toContain(id);
    expect((await search('dogs')).map((hit: { id: string }) => hit.id)).toContain(now[1]?.id);
  });

  test('leaves edits, keywords and status of unchanged chunks alone', async () => {
    const { id, chunks } = await ingestBook(part('elks'), part('foxes'), part('goats'));
    const [elks, foxes, goats] = chunks as [Chunk, Chunk, Chunk];
    await editChunk(elks, { content: 'Elks, edited.' });
    await editChunk(foxes, { keywords: ['vulpine'] });
    await switchChunk(goats, 'inactive');
    const before: Chunk[] = await listChunks(id);

    const now = await rewrite(id, part('hares'), part('elks'), part('foxes'), part('goats'));
    expect(now.slice(1)).toStrictEqual(before);
    expect(now[1]).toMatchObject({ id: elks.id, content: 'Elks, edited.' });
    expect(now[2]).toMatchObject({ id: foxes.id, keywords: { vulpine: 1 } });
    expect(now[3]).toMatchObject({ id: goats.id, status: 'inactive' });
    expect((await search('vulpine')).map((hit: { id: string }) => hit.id)).toEqual([foxes.id]);
    expect((await search('goats')).map((hit: { id: string }) => hit.id)).not.toContain(goats.id);
  });

  test('takes an edited chunk away together with the text it was made from', async () => {
    const { id, chunks } = await ingestBook(part('ibises'), part('jackals'));
    await editChunk(chunks[0] as Chunk, { content: 'Ibises, edited.' });
    const now = await rewrite(id, part('jackals'));
    expect(now).toStrictEqual([chunks[1]]);
    expect(await search('ibises')).toEqual([]);
  });

  test('does not bring deleted chunks back', async () => {
    const { id, chunks } = await ingestBook(part('kites'), part('larks'), part('mice'));
    const [kites, larks, mice] = chunks as [Chunk, Chunk, Chunk];
    await deleteChunks(id, [larks.id]);
    expect(await inDetail(id)).toMatchObject({ chunkCount: 2 });
    const now = await rewrite(id, part('kites'), part('larks'), part('mice'), part('newts'));
    expect(now.map((chunk) => chunk.id).slice(0, 2)).toEqual([kites.id, mice.id]);
    expect(contentsOf(now)).toEqual([part('kites'), part('mice'), part('newts')]);
    expect(await inDetail(id)).toMatchObject({ chunkCount: 3 });
    expect(await search('larks')).toEqual([]);
  });

  test('that comes twice has a chunk for each place', async () => {
    const { id, chunks } = await ingestBook(part('owls'), part('pigs'), part('owls'));
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(3);
    const now = await rewrite(id, part('owls'), part('owls'));
    expect(now.map((chunk) => chunk.id)).toEqual([chunks[0]?.id, chunks[2]?.id]);
    await deleteChunks(id, [now[0]?.id as string]);
    expect(
      (await rewrite(id, part('owls'), part('owls'), part('rams'))).map(({ content }) => content),
    ).toEqual([part('owls'), part('rams')]);
  });

  test('that fails leaves the old chunks serving, until one succeeds', async () => {
    const { id, chunks } = await ingestBook(part('seals'), part('toads'));
    await patchDocument(id, { documentContent: ' ' });
    await app.settle();
    expect(await inDetail(id)).toMatchObject({
      status: 'failed',
      chunkCount: 2,
      error: { code: 'empty_text' },
    });
    expect(await listChunks(id)).toStrictEqual(chunks);
    expect(await search('seals')).toMatchObject([{ id: chunks[0]?.id }]);

    const now = await rewrite(id, part('toads'), part('voles'));
    expect(without(now[0] as Chunk)).toStrictEqual(without(chunks[1] as Chunk));
    expect(await search('seals')).toEqual([]);
    expect(await inDetail(id)).toMatchObject({ status: 'ready', error: null, chunkCount: 2 });
  });

  test('leaves the drafts of another attempt at the same document', async () => {
    const { id } = await ingestBook(part('newts'));
    const drafts = app.db.selectFrom('chunkDrafts').select(['run', 'ordinal']).where('documentId', '=', id);
    expect(await drafts.execute()).toEqual([]);
    await app.db
      .insertInto('chunkDrafts')
      .values({
        ...TENANT_UNIT,
        documentId: id,
        run: 'another',
        ordinal: 0,
        id: `draft of ${id}`,
        sourceHash: '',
        content: '',
        contentComplement: '',
        keywords: '{}',
        metadata: '{}',
        terms: '',
        termsLength: 0,
        analyzer: 1,
      })
      .execute();
    await rewrite(id, part('newts'), part('otters'));
    expect(await drafts.execute()).toEqual([{ run: 'another', ordinal: 0 }]);
  });
});
