import { beforeAll, describe, expect, test } from 'vitest';
import {
  createRestClient,
  DOCUMENTS,
  SEARCH,
  TENANT,
  TENANT_UNIT,
  type TestApp,
  TIME,
  UUID,
} from './rest-client.js';

interface Hit {
  id: string;
  document_id: string;
  document_name: string;
  content: string;
  score: number;
}

/** What every search engine has to do. */
export function testSearch(app: TestApp): void {
  const {
    call,
    createDocument,
    deleteChunks,
    editChunk,
    listChunks,
    patchDocument,
    search,
    switchChunk,
    upsert,
  } = createRestClient(app);

  const namesOf = (hits: Hit[]) => hits.map((hit) => hit.document_name);
  const find = async (query: string, fields: object = {}) => namesOf(await search(query, { ...fields }));

  /** Adds documents by their names, and waits until they can be found. */
  async function add(texts: Record<string, string>, datasetIds = ['faq'], fields: object = {}) {
    const ids: Record<string, string> = {};
    for (const [documentName, documentContent] of Object.entries(texts)) {
      const { id } = await createDocument({ documentName, documentContent, ...fields }, datasetIds);
      ids[documentName] = id;
    }
    await app.settle();
    return ids;
  }

  describe('words', () => {
    const dataset_ids = ['words'];
    const inWords = (query: string, fields: object = {}) => find(query, { dataset_ids, ...fields });
    const chinese = { language: 'chinese' };

    beforeAll(async () => {
      await add(
        {
          refunds: 'Customers who returned their parcels are refunded within fourteen days.',
          shipping: 'Orders are shipped from Rotterdam. Crossing the sea takes a week.',
          accents: 'The café in Zürich serves crème brûlée to naïve visitors.',
          simplified: '知识图谱由实体和关系组成，可以用来回答问题。',
          traditional: '資料庫的備份應該每天進行，並且保存在不同的機房。',
          mixed: 'Lectern 支持 PostgreSQL 全文检索，也支持 Meilisearch。',
          codes: 'Error E-4711 means that part no. 12/34_A is out of stock.',
        },
        dataset_ids,
      );
      await add(
        { handbook: '# Holidays\n\n## Parental leave\n\nAsk your manager at least two months ahead.' },
        dataset_ids,
      );
    });

    test('explains what it finds, with the searched words marked', async () => {
      const found = await app.trpc().search.run.query({
        scope: TENANT_UNIT,
        datasetIds: dataset_ids,
        query: 'Which café refunds parcels?',
      });
      expect(found).toMatchObject({ mode: 'lexical', truncated: false, reranked: null, chunks: 8 });
      expect(found.terms.map(({ term }) => term).sort()).toEqual(['cafe', 'parcel', 'refund']);
      const marked = found.hits.map(({ content, marks }) =>
        marks.map(([start, end]) => content.slice(start, end)),
      );
      expect(marked).toEqual([['parcels', 'refunded'], ['café']]);
    });

    test.each([
      ['the same words', 'refunded customers', 'refunds'],
      ['other forms of them', 'refund a customer returning a parcel', 'refunds'],
      ['a question', 'When will I get my refund for a returned parcel?', 'refunds'],
      ['upper case', 'ROTTERDAM', 'shipping'],
      ['words of the text without accents', 'creme brulee', 'accents'],
      ['other accents', 'CAFÉ ZURICH', 'accents'],
      ['codes', 'E-4711', 'codes'],
      ['numbers', '12/34', 'codes'],
      ['the headings above it', 'parental leave', 'handbook'],
      ['headings further above', 'holidays', 'handbook'],
    ])('are found by %s', async (_, query, expected) => {
      expect((await inWords(query))[0]).toBe(expected);
    });

    test.each([
      ['its words', '知识图谱', 'simplified'],
      ['a question', '知识图谱是什么？', 'simplified'],
      ['Traditional characters', '知識圖譜', 'simplified'],
      ['part of it', '实体', 'simplified'],
    ])('in simplified Chinese are found by %s', async (_, query, expected) => {
      expect((await inWords(query, chinese))[0]).toBe(expected);
    });

    test('in Traditional Chinese are found by simplified characters', async () => {
      expect((await inWords('资料库备份', chinese))[0]).toBe('traditional');
      expect((await inWords('備份', chinese))[0]).toBe('traditional');
    });

    test.each(['english', 'chinese'])(
      'of two scripts are found by either, and by both, as %s',
      async (language) => {
        expect((await inWords('全文检索', { language }))[0]).toBe('mixed');
        expect((await inWords('meilisearch', { language }))[0]).toBe('mixed');
        expect((await inWords('PostgreSQL全文检索', { language }))[0]).toBe('mixed');
      },
    );

    test('that occur nowhere find nothing, and do not hide those that do', async () => {
      expect(await inWords('xylophone')).toEqual([]);
      expect(await inWords('xylophone Rotterdam')).toEqual(['shipping']);
    });

    test.each([
      ['a mistyped word', 'roterdam', 'shipping'],
      ['a mistyped word beside others', 'When is my parcel refundde?', 'refunds'],
      ['words run together', 'parentalleave', 'handbook'],
    ])('are found by %s', async (_, query, expected) => {
      expect((await inWords(query))[0]).toBe(expected);
    });

    test('that every text has do not decide', async () => {
      expect((await inWords('what is the sea'))[0]).toBe('shipping');
    });
  });

  describe('hits', () => {
    const dataset_ids = ['hits'];

    test('carry exactly the documented fields, none of them null', async () => {
      const { id } = await createDocument({ documentContent: 'Plain pelicans.' }, ['hits', 'further']);
      await app.settle();
      const [hit, ...others] = await search('pelicans', { dataset_ids });
      expect(others).toEqual([]);
      expect(hit).toStrictEqual({
        id: UUID,
        document_id: id,
        document_name: '',
        document_type: 'UnstructuredFile',
        document_sub_type: 'txt',
        content: 'Plain pelicans.',
        content_complement: '',
        keywords: expect.arrayContaining([expect.stringMatching(/^pelicans$/i)]),
        score: expect.any(Number),
        tenant_id: TENANT_UNIT.tenantId,
        tenant_unit_id: TENANT_UNIT.tenantUnitId,
        created_time: TIME,
        updated_time: TIME,
        metadata: { dataset_ids: ['further', 'hits'] },
      });
      // Before its type is known again, while the new content waits, there is still no null.
      await app.db.updateTable('documents').set({ sniffedSubType: null }).where('id', '=', id).execute();
      expect(await search('pelicans', { dataset_ids })).toMatchObject([{ document_sub_type: '' }]);
    });

    test('are as many as asked for, best first, with scores from 0 to 1', async () => {
      const texts = Array.from({ length: 12 }, (_, i) => [
        `otters ${i}`,
        `${'Otters swim. '.repeat(i + 1)}${'Nothing else happens here today. '.repeat(12 - i)}`,
      ]);
      await add(Object.fromEntries(texts), ['otters']);
      const all: Hit[] = await search('otters swim', { dataset_ids: ['otters'], top_k: 100 });
      expect(all).toHaveLength(12);
      const scores = all.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      expect(all[0]?.document_name).toBe('otters 11');
      expect(await search('otters swim', { dataset_ids: ['otters'] })).toEqual(all.slice(0, 5));
      expect(await search('otters swim', { dataset_ids: ['otters'], top_k: 1 })).toEqual(all.slice(0, 1));
      for (const top_k of [0, 101, 1.5, null]) {
        const body = {
          tenant_id: 'acme',
          tenant_unit_id: 'sales',
          dataset_ids: ['otters'],
          query: 'otters',
          top_k,
        };
        expect(await call(422, 'POST', SEARCH, { query: TENANT, body })).toMatchObject({
          detail: [{ loc: ['body', 'top_k'] }],
        });
      }
    });

    test('come from the datasets that are named: none, one, any of several', async () => {
      await add({ red: 'Flamingos rest.' }, ['red']);
      await add({ blue: 'Flamingos sleep.' }, ['blue']);
      await add({ both: 'Flamingos dream of many things.' }, ['red', 'blue']);
      await add({ neither: 'Flamingos are awake.' }, []);
      const flamingos = async (ids: string[]) => (await find('flamingos', { dataset_ids: ids })).sort();
      expect(await flamingos([])).toEqual([]);
      expect(await flamingos(['red'])).toEqual(['both', 'red']);
      expect(await flamingos(['red', 'blue', 'red', 'unknown'])).toEqual(['blue', 'both', 'red']);
      expect(await flamingos(['unknown'])).toEqual([]);
      expect(await flamingos([''])).toEqual([]);
    });

    test('of another unit are not found', async () => {
      await add({ here: 'Walruses here.' }, ['units']);
      await add({ there: 'Walruses there.' }, ['units'], { tenantUnitId: 'support' });
      const place = { dataset_ids: ['units'] };
      expect(await find('walruses', place)).toEqual(['here']);
      expect(await find('walruses', { ...place, tenant_unit_id: 'support' })).toEqual(['there']);
      expect(await find('walruses', { ...place, tenant_unit_id: 'nowhere' })).toEqual([]);
    });

    test('of one tenant are the same whatever other tenants have', async () => {
      const texts = {
        first: 'Badgers dig deep tunnels in the wood.',
        second: 'Badgers eat worms, and worms fear badgers.',
        third: 'Foxes and badgers share tunnels.',
      };
      await add(texts, ['wood']);
      const before = await search('badgers tunnels', { dataset_ids: ['wood'] });
      expect(namesOf(before)).toHaveLength(3);
      const theirs = Object.fromEntries(
        Array.from({ length: 25 }, (_, i) => [`theirs ${i}`, `Badgers, badgers and tunnels number ${i}.`]),
      );
      await add(theirs, ['wood'], { tenantId: 'globex' });
      expect(await search('badgers tunnels', { dataset_ids: ['wood'] })).toStrictEqual(before);
      const found = await find('badgers', { tenant_id: 'globex', dataset_ids: ['wood'], top_k: 100 });
      expect(found.sort()).toEqual(Object.keys(theirs).sort());
    });
  });

  describe('the very next search', () => {
    const dataset_ids = ['next'];
    const falcons = () => find('falcons', { dataset_ids });

    test('knows that a document was disabled, and enabled again', async () => {
      const { a = '' } = await add({ a: 'Falcons dive.' }, dataset_ids);
      const [chunk] = await listChunks(a);
      const before = await search('falcons', { dataset_ids });
      const toggle = (enabled: boolean) =>
        call(200, 'PATCH', `${DOCUMENTS}/${a}/toggle`, { query: TENANT, body: { enabled } });

      await toggle(false);
      expect(await falcons()).toEqual([]);
      expect(await listChunks(a)).toStrictEqual([chunk]);
      await toggle(true);
      expect(await search('falcons', { dataset_ids })).toStrictEqual(before);
      await patchDocument(a, { enabled: false });
      expect(await falcons()).toEqual([]);

      // A chunk that was inactive before stays so.
      await switchChunk(chunk, 'inactive');
      await toggle(true);
      expect(await falcons()).toEqual([]);
      await switchChunk(chunk, 'active');
      expect(await falcons()).toEqual(['a']);
      await call(204, 'DELETE', `${DOCUMENTS}/${a}`, { query: TENANT });
      expect(await falcons()).toEqual([]);
    });

    test('knows what became of single chunks', async () => {
      const paragraphs = ['# A\n\nHerons one.', '# B\n\nHerons two.', '# C\n\nHerons three.'].map(
        (part) => `${part} ${'And so it goes on and on, for quite a while. '.repeat(30)}`,
      );
      const { birds = '' } = await add({ 'birds.md': '', birds: paragraphs.join('\n\n') }, ['chunks']);
      const chunks = await listChunks(birds);
      expect(chunks.length).toBeGreaterThanOrEqual(3);
      const herons = async () =>
        (await search('herons', { dataset_ids: ['chunks'], top_k: 100 })).map(({ id }: Hit) => id).sort();
      const holding = chunks
        .filter(({ content }: Hit) => content.includes('Herons'))
        .map(({ id }: Hit) => id);
      expect(await herons()).toEqual(holding.sort());
      const batch = (status: string, documentChunkIds: string[]) =>
        call(200, 'PATCH', `${DOCUMENTS}/${birds}/documentChunks/batch/status`, {
          query: TENANT_UNIT,
          body: { status, documentChunkIds },
        });
      expect(await batch('inactive', holding.slice(0, 2))).toStrictEqual({});
      expect(await herons()).toEqual(holding.slice(2));
      await batch('active', holding);
      expect(await herons()).toEqual(holding);
      expect(await deleteChunks(birds, holding.slice(0, 1))).toStrictEqual({});
      expect(await herons()).toEqual(holding.slice(1));
    });

    test('knows that a document left a dataset, and came back', async () => {
      const text = { documentName: 'moved', documentContent: 'Ospreys fish.' };
      await upsert('moved', text, ['river', 'lake']);
      await app.settle();
      const ospreys = (id: string) => find('ospreys', { dataset_ids: [id] });
      await upsert('moved', {}, ['lake']);
      expect(await ospreys('river')).toEqual([]);
      expect(await ospreys('lake')).toEqual(['moved']);
      await upsert('moved', {}, []);
      expect(await ospreys('lake')).toEqual([]);
      await upsert('moved', {}, ['river']);
      expect(await ospreys('river')).toEqual(['moved']);
    });

    test('finds an edited chunk by its new text, and no longer by its old one', async () => {
      const { edited = '' } = await add({ edited: 'Penguins waddle over the ice.' }, ['edits']);
      const [chunk] = await listChunks(edited);
      const found = (query: string) => find(query, { dataset_ids: ['edits'] });
      expect(await found('penguins')).toEqual(['edited']);
      expect(await editChunk(chunk, { content: 'Ostriches run across the desert.' })).toStrictEqual({});
      expect(await found('ostriches')).toEqual(['edited']);
      expect(await found('penguins')).toEqual([]);
      const [now] = await listChunks(edited);
      expect(Object.keys(now.keywords)).toContain('Ostriches');
      expect(Object.keys(now.keywords)).not.toContain('Penguins');
    });

    test('finds a chunk by the keywords that were set by hand, also after an edit of its text', async () => {
      const { tagged = '' } = await add({ tagged: 'Send it back within two weeks.' }, ['tags']);
      const [chunk] = await listChunks(tagged);
      const found = (query: string) => find(query, { dataset_ids: ['tags'] });
      expect(await found('refund deadline')).toEqual([]);
      await editChunk(chunk, { keywords: ['refund deadline', '退货'] });
      const [changed] = await listChunks(tagged);
      expect(changed.keywords).toEqual({ 'refund deadline': 1, 退货: 1 });
      expect(changed.content).toBe('Send it back within two weeks.');
      expect(await found('refunds')).toEqual(['tagged']);
      expect(await found('退货')).toEqual(['tagged']);
      const [hit] = await search('退货', { dataset_ids: ['tags'] });
      expect(hit.keywords).toEqual(['refund deadline', '退货']);

      await editChunk(chunk, { content: 'Keep it.' });
      expect(await found('refunds')).toEqual(['tagged']);
      await editChunk(chunk, { keywords: [] });
      expect(await found('refunds')).toEqual([]);
      expect(await found('keep')).toEqual(['tagged']);
    });

    test('an edit of nothing changes nothing', async () => {
      const { same = '' } = await add({ same: 'Swans glide.' }, ['same']);
      const chunks = await listChunks(same);
      expect(await editChunk(chunks[0], {})).toStrictEqual({});
      expect(await listChunks(same)).toStrictEqual(chunks);
    });
  });

  describe('queries', () => {
    const dataset_ids = ['queries'];
    beforeAll(() => add({ quoted: 'A wombat is no "kangaroo", although it\'s a cousin.' }, dataset_ids));

    test.each([
      '"wombat"',
      '"wombat',
      'wombat -kangaroo',
      '-wombat',
      '!wombat',
      'wombat & xylophone',
      'wombat | xylophone',
      '(wombat',
      'wombat:*',
      'wombat:A',
      'wombat <-> kangaroo',
      "wombat'; drop table chunks; --",
      "it's wombat's",
      '\\wombat\\',
      'wombat %_*?',
      '$1 $$ wombat',
      'wombat\n\t\u3000kangaroo',
      'wombat 😀',
      'WOMBAT\u200b',
    ])('hold no operators: %j', async (query) => {
      expect(await find(query, { dataset_ids })).toEqual(['quoted']);
    });

    test.each([' ', '???', '"', "'", '\\', '!', '&|!', ':*', '。，', '😀', '\u200b'])(
      'without a word find nothing: %j',
      async (query) => {
        expect(await find(query, { dataset_ids })).toEqual([]);
      },
    );

    test('of function words alone look for those', async () => {
      expect(await find('is it no', { dataset_ids })).toEqual(['quoted']);
    });

    test('may be 10,000 characters long', async () => {
      const long = `wombat ${'word '.repeat(3_000)}`.slice(0, 10_000);
      expect(await find(long, { dataset_ids })).toEqual(['quoted']);
      expect(await find('袋熊'.repeat(5_000), { dataset_ids })).toEqual([]);
      expect(await find('w'.repeat(10_000), { dataset_ids })).toEqual([]);
      const different = Array.from({ length: 1_600 }, (_, i) => `w${i}`).join(' ');
      expect(await find(different.slice(0, 10_000), { dataset_ids })).toEqual([]);
    });

    test.each([
      ['empty', ''],
      ['too long', 'w'.repeat(10_001)],
      ['unstorable', 'wom\0bat'],
    ])('that are %s are refused', async (_, query) => {
      const body = { tenant_id: 'acme', tenant_unit_id: 'sales', dataset_ids, query };
      expect(await call(422, 'POST', SEARCH, { query: TENANT, body })).toMatchObject({
        detail: [{ loc: ['body', 'query'] }],
      });
    });
  });
}
