import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, TENANT, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';
import { readSourceText } from './support/source-text.js';

const app = useApp();
const { search } = createRestClient(app);
const documentType = 'UnstructuredFile' as const;
const trpc = () => app.trpc();

type Created = Parameters<ReturnType<typeof trpc>['documents']['create']['mutate']>[0];

async function create(fields: Partial<Created>): Promise<string> {
  const document = { scope: TENANT_UNIT, documentType, datasetIds: ['faq'], ...fields };
  const { id } = await trpc().documents.create.mutate(document);
  await app.settle();
  return id;
}

async function upload(fileName: string, bytes: Uint8Array<ArrayBuffer>, fields: Partial<Created> = {}) {
  const { fileId } = await trpc().files.upload.mutate(new Blob([bytes]));
  return create({ file: { fileId, fileName }, ...fields });
}

const fixture = (name: string) =>
  new Uint8Array(readFileSync(`packages/file-to-markdown/test/fixtures/${name}`));

const ask = (query: string, fields: object = {}) =>
  trpc().chunks.search.query({ scope: TENANT_UNIT, datasetIds: ['faq'], query, ...fields });

/** All text of a source, as the docs of `span` say. */
async function textOf(documentId: string): Promise<string> {
  let text = '';
  for (let page = 1; ; page += 20) {
    const { pages } = await readSourceText(trpc().documents, { scope: TENANT, documentId, page, pages: 20 });
    for (const { start, text: more } of pages) text = text.padEnd(start, '\n') + more;
    if (pages.length < 20) return text;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const RECIPE = '# Kitchen\n\n## Bread\n\nKnead the rye dough for ten minutes.';

describe('a hit', () => {
  let documentId: string;

  beforeAll(async () => {
    documentId = await create({
      documentName: 'recipes.md',
      title: 'Recipes',
      url: 'https://kitchen.test/recipes',
      documentContent: RECIPE,
    });
  });

  const hit = () => ({
    id: UUID,
    documentId,
    ...TENANT_UNIT,
    content: RECIPE,
    contentComplement: 'Kitchen > Bread',
    keywords: expect.any(Array),
    createdTime: TIME,
    updatedTime: TIME,
    score: expect.any(Number),
    documentName: 'recipes.md',
    documentType,
    documentSubType: 'md',
    datasetIds: ['faq'],
    citation: {
      title: 'Recipes',
      url: 'https://kitchen.test/recipes',
      mediaType: 'text/markdown',
      processedTime: TIME,
      ordinal: 0,
      version: 1,
      sourceHash: hashOf(RECIPE),
      edited: false,
      span: { start: 0, end: RECIPE.length },
      headings: ['Kitchen', 'Bread'],
    },
  });

  test('tells where it is from', async () => {
    expect(await ask('rye dough')).toEqual([hit()]);
    const { hits } = await trpc().search.run.query({
      scope: TENANT_UNIT,
      datasetIds: ['faq'],
      query: 'rye dough',
    });
    expect(hits).toMatchObject([hit()]);
  });

  test('over REST has what is documented, and nothing else', async () => {
    const { id, documentId: _, ...common } = hit();
    expect(await search('rye dough', { context: { before: 1 } })).toEqual([
      {
        id,
        document_id: documentId,
        document_name: 'recipes.md',
        document_type: documentType,
        document_sub_type: 'md',
        content: common.content,
        content_complement: 'Kitchen > Bread',
        keywords: expect.any(Array),
        score: expect.any(Number),
        tenant_id: 'acme',
        tenant_unit_id: 'sales',
        created_time: TIME,
        updated_time: TIME,
        metadata: { dataset_ids: ['faq'] },
      },
    ]);
  });

  test('that was edited says so, and keeps the place and the hash of what was split off', async () => {
    const chunkId = (await ask('rye dough'))[0]!.id;
    const { version } = await trpc().chunks.update.mutate({
      scope: TENANT,
      documentId,
      chunkId,
      content: 'Knead the rye dough for an hour.',
    });
    const [found] = await ask('rye dough');
    const expected = hit();
    expect(found).toEqual({
      ...expected,
      content: 'Knead the rye dough for an hour.',
      citation: { ...expected.citation, edited: true, version },
    });
    await trpc().chunks.restore.mutate({ scope: TENANT, documentId, chunkId });
  });

  test('of an earlier version lacks what that did not store', async () => {
    const old = await create({ documentName: 'old.md', documentContent: '# Soup\n\nBoil the turnips.' });
    await sql`update documents set processed_time = null where id = ${old}`.execute(app.db);
    const stored = sql`metadata - 'char_start' - 'char_end' - 'headings'`;
    await sql`update chunks set metadata = ${stored} where document_id = ${old}`.execute(app.db);
    const [found] = await ask('boil turnips', { context: { before: 1, after: 1 } });
    expect(found?.citation).toEqual({
      title: null,
      url: null,
      mediaType: 'text/markdown',
      ordinal: 0,
      version: 1,
      sourceHash: hashOf('# Soup\n\nBoil the turnips.'),
      edited: false,
    });
    expect(found?.context?.text).toBe('# Soup\n\nBoil the turnips.');
  });
});

describe('the place in the source', () => {
  const hitsIn = async (documentId: string, query: string) => {
    const found = await ask(query, { topK: 100, datasetIds: ['files'] });
    return found
      .filter((hit) => hit.documentId === documentId)
      .toSorted((a, b) => a.citation.ordinal - b.citation.ordinal);
  };
  const uploadFile = (name: string) => upload(name, fixture(name), { datasetIds: ['files'] });

  async function expectSpans(documentId: string, query: string, least: number) {
    const [text, hits] = [await textOf(documentId), await hitsIn(documentId, query)];
    expect(hits.length).toBeGreaterThanOrEqual(least);
    for (const { content, citation } of hits) {
      expect(text.slice(citation.span?.start, citation.span?.end)).toBe(content);
      expect(citation.sourceHash).toBe(hashOf(content));
    }
    return hits;
  }

  test('of a PDF: its pages', async () => {
    const hits = await expectSpans(await uploadFile('contract.pdf'), 'agreement indemnification', 5);
    const pages = hits.map(({ citation }) => citation.pages ?? { first: 0, last: 0 });
    for (const { first, last } of pages) expect([first, first + 1]).toContain(last);
    expect(pages[0]?.first).toBe(1);
    expect(new Set(pages.map(({ first }) => first)).size).toBeGreaterThan(2);
    for (const { citation } of hits) expect(citation).not.toHaveProperty('slide');
  });

  test('of a presentation: its slide', async () => {
    const [hit] = await expectSpans(await uploadFile('bullets.pptx'), 'bullet', 1);
    expect(hit?.citation.slide).toBeGreaterThanOrEqual(1);
    expect(hit?.citation).not.toHaveProperty('pages');
  });

  test('of a workbook: its sheet and rows', async () => {
    const hits = await expectSpans(await uploadFile('stanley-cups.xlsx'), 'Maple Leafs', 2);
    expect(hits.map(({ citation: { sheet, rows, pages } }) => ({ sheet, rows, pages }))).toEqual([
      { sheet: 'Stanley Cups', rows: { first: 1, last: 5 } },
      { sheet: 'Stanley Cups Since 67', rows: { first: 1, last: 5 } },
    ]);
  });

  test('of a CSV file: its rows', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `Gull ${n + 2},${'a cliff at the sea'}`);
    const csv = new TextEncoder().encode(['Bird,Nest', ...rows].join('\n'));
    const hits = await expectSpans(
      await upload('gulls.csv', csv, { datasetIds: ['files'] }),
      'gull nest cliff',
      5,
    );
    for (const { content, citation } of hits) {
      const shown = [...content.matchAll(/Gull (\d+)/g)].map(([, row]) => Number(row));
      expect(citation.rows).toEqual({ first: citation.ordinal === 0 ? 1 : shown[0], last: shown.at(-1) });
      expect(citation).not.toHaveProperty('sheet');
    }
  });

  test('of a text that is processed again after a change: where it is now', async () => {
    const paragraph = (name: string) => `${name} tell of harbours. `.repeat(8).trim();
    const chunking = { size: 200, overlap: 0 };
    const fields = { datasetIds: ['files'], chunking };
    const before = [paragraph('Pilots'), paragraph('Sailors')].join('\n\n');
    const documentId = await create({ ...fields, documentContent: before });
    const [first] = await hitsIn(documentId, 'pilots harbours');
    await trpc().documents.update.mutate({
      scope: TENANT,
      documentId,
      documentContent: `${paragraph('Divers')}\n\n${before}`,
    });
    await app.settle();
    const hits = await expectSpans(documentId, 'pilots sailors divers harbours', 3);
    const moved = hits.find(({ id }) => id === first?.id);
    expect(moved?.citation).toMatchObject({ version: first?.citation.version, ordinal: 1 });
    expect(moved?.citation.span?.start).toBe(paragraph('Divers').length + 2);
  });
});

describe('the context of hits', () => {
  const NUMBERS = Array.from({ length: 60 }, (_, n) => n);
  const LOG = `# Log\n\n${NUMBERS.map(
    (n) =>
      `On day ${n} the lighthouse keeper saw ship${n} pass the cape. ${'The sea was calm and grey. '.repeat(4).trim()}`,
  ).join('\n\n')}`;
  const chunking = { size: 300, overlap: 60 };
  let documentId: string;
  let chunks: { id: string; ordinal: number; content: string }[];

  beforeAll(async () => {
    documentId = await create({ documentName: 'log', documentContent: LOG, datasetIds: ['log'], chunking });
    ({ items: chunks } = await trpc().chunks.list.query({ scope: TENANT, documentId, pageSize: 100 }));
    expect(chunks.length).toBeGreaterThan(20);
  });

  const askLog = (query: string, fields: object = {}) =>
    ask(query, { datasetIds: ['log'], topK: 1, ...fields });
  /** White space may be other line feeds than in the source. */
  const words = (text: string | null = '') => text?.split(/\s+/).filter(Boolean).join(' ');
  const whole = words(LOG) as string;

  test('is its chunk and the neighbours, and reads like the source', async () => {
    const [hit] = await askLog('ship30', { context: { before: 2, after: 1 } });
    const ordinal = hit?.citation.ordinal as number;
    expect(hit?.context).toEqual({
      text: expect.any(String),
      sameAs: null,
      ordinals: { first: ordinal - 2, last: ordinal + 1 },
      start: expect.any(Number),
      end: expect.any(Number),
    });
    const { text, start, end } = hit!.context!;
    expect(text?.slice(start, end)).toBe(hit?.content);
    expect(whole).toContain(words(text));
    expect(text?.startsWith(chunks[ordinal - 2]!.content)).toBe(true);
    expect(text?.endsWith(chunks[ordinal + 1]!.content)).toBe(true);
    expect(await askLog('ship30')).toEqual([{ ...hit, context: undefined }]);
  });

  test('of many hits is each passage once, at its best hit', async () => {
    const hits = await askLog('lighthouse keeper ship', { topK: 100, context: { before: 1, after: 1 } });
    expect(hits.length).toBeGreaterThan(20);
    const passages = hits.filter(({ context }) => context?.text !== null);
    expect(passages.length).toBeLessThan(hits.length);
    expect(words(passages.map(({ context }) => context?.text).join('\n'))).toBe(whole);
    const rankOf = (id: string | null | undefined) => hits.findIndex((hit) => hit.id === id);
    for (const [rank, { context, content }] of hits.entries()) {
      const shown = context?.sameAs ? hits[rankOf(context.sameAs)]?.context : context;
      expect(shown?.text?.slice(context?.start, context?.end)).toBe(content);
      if (context?.sameAs) expect(rankOf(context.sameAs)).toBeLessThan(rank);
    }
  });

  test('in characters is cut between words', async () => {
    const [hit] = await askLog('ship30', { context: { before: 1_000, after: 400, unit: 'characters' } });
    const { text, start, end } = hit!.context!;
    expect(start).toBeLessThanOrEqual(1_000);
    expect(start).toBeGreaterThan(900);
    expect(text!.length - end).toBeLessThanOrEqual(400);
    expect(text!.length - end).toBeGreaterThan(300);
    expect(` ${whole} `).toContain(` ${words(text)} `);
  });

  test('by search.run is the same', async () => {
    const context = { before: 1, after: 1 };
    const [hit] = await askLog('ship30', { context });
    const asked = { scope: TENANT_UNIT, datasetIds: ['log'], query: 'ship30', topK: 1, context };
    expect((await trpc().search.run.query(asked)).hits).toMatchObject([{ context: hit?.context }]);
  });

  test('has nothing of a chunk that a search does not find', async () => {
    const [hit] = await askLog('ship20', { context: { before: 2, after: 2 } });
    const ordinal = hit?.citation.ordinal as number;
    const [before, after] = [chunks[ordinal - 1]!, chunks[ordinal + 2]!];
    const status = { scope: TENANT_UNIT, documentId, chunkId: before.id };
    await trpc().chunks.setStatus.mutate({ ...status, status: 'inactive' });
    await trpc().chunks.deleteMany.mutate({ scope: TENANT, documentId, chunkIds: [after.id] });
    const [found] = await askLog('ship20', { context: { before: 2, after: 2 } });
    expect(found?.context?.ordinals).toEqual({ first: ordinal, last: ordinal + 1 });
    expect(found?.context?.text?.startsWith(hit!.content)).toBe(true);
    await trpc().chunks.setStatus.mutate({ ...status, status: 'active' });
    const [again] = await askLog('ship20', { context: { before: 2, after: 2 } });
    expect(again?.context?.ordinals).toEqual({ first: ordinal - 2, last: ordinal + 1 });
  });

  test('has edited neighbours as they are now', async () => {
    const [hit] = await askLog('ship40');
    const next = chunks.find((chunk) => chunk.ordinal === hit!.citation.ordinal + 1)!;
    await trpc().chunks.update.mutate({ scope: TENANT, documentId, chunkId: next.id, content: 'Fog.' });
    const [found] = await askLog('ship40', { context: { after: 1 } });
    expect(found?.context?.text).toBe(`${hit!.content}\n\nFog.`);
  });

  test('of very large chunks has fewer of them', async () => {
    const paragraph = 'The mist lay on the moor and would not lift before noon. '.repeat(130).trim();
    const documentContent = NUMBERS.slice(0, 12)
      .map((n) => `Mist${n}. ${paragraph}`)
      .join('\n\n');
    await create({ documentContent, datasetIds: ['moor'], chunking: { size: 8_000, overlap: 0 } });
    const fields = { datasetIds: ['moor'], topK: 1, context: { before: 10, after: 10 } };
    const [hit] = await ask('mist6', fields);
    expect(hit?.citation.ordinal).toBe(6);
    expect(hit?.context?.ordinals).toEqual({ first: 3, last: 9 });
  });

  test('is bounded', async () => {
    const refused = (context: object) =>
      askLog('ship1', { context }).then(
        () => undefined,
        ({ data }) => ({ status: data.httpStatus, loc: data.detail[0].loc }),
      );
    expect(await refused({ before: 11 })).toEqual({ status: 422, loc: ['context', 'before'] });
    expect(await refused({ after: 8_001, unit: 'characters' })).toEqual({
      status: 422,
      loc: ['context', 'after'],
    });
    expect(await refused({ before: 1, unit: 'pages' })).toEqual({ status: 422, loc: ['context', 'unit'] });
    expect(await refused({ before: 10, after: 8_000, unit: 'characters' })).toBeUndefined();
  });
});
