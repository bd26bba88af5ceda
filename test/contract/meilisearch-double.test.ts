import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { generateTenantToken } from 'meilisearch/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/meilisearch/client.js';
import { type Meilisearch, startMeilisearch } from '../support/meilisearch/server.js';

/** With these, the same assertions run against a real server too: what the double does was seen there. */
const { MEILI_URL, MEILI_ADMIN_KEY = '' } = process.env;

const servers = [
  { kind: 'the double', isReal: false },
  { kind: 'the real server', isReal: true },
].filter(({ isReal }) => !isReal || MEILI_URL);

const SETTINGS = {
  searchableAttributes: [],
  displayedAttributes: ['id', 'revision', 'bucket', 'unit', 'datasets'],
  filterableAttributes: [
    {
      attributePatterns: ['unit', 'datasets', 'terms'],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ['bucket'],
      features: { facetSearch: false, filter: { equality: true, comparison: true } },
    },
  ],
  rankingRules: ['words'],
  typoTolerance: { enabled: false },
  prefixSearch: 'disabled',
  proximityPrecision: 'byAttribute',
  facetSearch: false,
  pagination: { maxTotalHits: 8 },
};

const TEXTS = ['a b c', 'c b a', 'a b', 'a c', 'b c', 'b', 'a', 'd', 'e f', 'g', 'h i'];
const DOCUMENTS = TEXTS.map((text, i) => ({
  id: `d${i}`,
  revision: '1.1.1',
  bucket: i * 4,
  unit: i % 2 ? 'Odd' : 'Évén',
  datasets: i % 3 ? ['third', 'all'] : ['all'],
  terms: text.split(' '),
}));

const refusal = (code: string, message: unknown, type = 'invalid_request') => ({
  message,
  code,
  type,
  link: `https://docs.meilisearch.com/errors#${code}`,
});
const MISSING_HEADER = refusal(
  'missing_authorization_header',
  'The Authorization header is missing. It must use the bearer authorization method.',
  'auth',
);
const INVALID_KEY = refusal('invalid_api_key', 'The provided API key is invalid.', 'auth');
const notFound = (uid: string) => refusal('index_not_found', `Index \`${uid}\` not found.`);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);

/** A task that has ended. */
const ended = (type: string, indexUid: string | null, details: object, error: object | null = null) => ({
  uid: expect.any(Number),
  batchUid: expect.any(Number),
  indexUid,
  status: error ? 'failed' : 'succeeded',
  type,
  canceledBy: null,
  details,
  error,
  duration: expect.stringMatching(/^PT[\d.e-]+S$/),
  enqueuedAt: TIME,
  startedAt: TIME,
  finishedAt: TIME,
});

describe.each(servers)('$kind', ({ isReal }) => {
  const prefix = `lectern_${randomBytes(4).toString('hex')}`;
  const [index, other, missing] = [`${prefix}_a`, `${prefix}_b`, `${prefix}_none`];
  const keyUids: string[] = [];
  let masterKey = MEILI_ADMIN_KEY;
  let double: Meilisearch | undefined;
  let client: Client;

  const searchMany = (queries: object[], key?: string, federation: object = {}) =>
    client.send('POST', '/multi-search', { federation, queries }, key === undefined ? {} : { key });
  const searchOne = async (query: object, federation?: object) =>
    (await searchMany([{ indexUid: index, ...query }], undefined, federation)).body;
  const filtered = async (filter: unknown) => {
    const { body } = await client.send('POST', `/indexes/${index}/documents/fetch`, {
      filter,
      fields: ['id'],
    });
    return body.results ? body.results.map(({ id }: { id: string }) => id).join(' ') : body.code;
  };
  const createKey = async (actions: string[], indexes = [`${prefix}_*`]) => {
    const uid = randomUUID();
    keyUids.push(uid);
    const { body } = await client.send('POST', '/keys', {
      uid,
      name: 'test',
      actions,
      indexes,
      expiresAt: null,
    });
    return body.key as string;
  };

  beforeAll(async () => {
    if (!isReal) {
      double = await startMeilisearch();
      masterKey = double.masterKey;
    }
    client = createClient(double?.url ?? MEILI_URL ?? '', masterKey);
    await client.perform('POST', '/indexes', { uid: index, primaryKey: 'id' });
    await client.perform('PATCH', `/indexes/${index}/settings`, SETTINGS);
    await client.perform('POST', `/indexes/${index}/documents`, DOCUMENTS);
  });

  afterAll(async () => {
    for (const uid of [index, other, missing]) await client.perform('DELETE', `/indexes/${uid}`);
    for (const uid of keyUids) await client.send('DELETE', `/keys/${uid}`);
    await double?.close();
  });

  describe('searches', () => {
    test('show the displayed attributes, and count without regard to the limit', async () => {
      const shared = { offset: 0, processingTimeMs: expect.any(Number), requestUid: expect.any(String) };
      const _federation = { indexUid: index, queriesPosition: 0, weightedRankingScore: 1 };
      const { terms, ...shown } = DOCUMENTS[5]!;
      expect(terms).toEqual(['b']);
      expect(await searchOne({ filter: 'bucket 20 TO 20' })).toEqual({
        hits: [{ ...shown, _federation }],
        limit: 20,
        estimatedTotalHits: 1,
        ...shared,
      });
      expect(await searchOne({ filter: 'unit = odd' }, { limit: 0 })).toEqual({
        hits: [],
        limit: 0,
        estimatedTotalHits: 5,
        ...shared,
      });
      expect((await searchOne({ attributesToRetrieve: ['id', 'terms'] }, { limit: 1 })).hits).toEqual([
        { id: 'd0', _federation },
      ]);
    });

    test('give no more than maxTotalHits', async () => {
      const { hits, estimatedTotalHits } = await searchOne({}, { limit: 100 });
      expect([hits.length, estimatedTotalHits]).toEqual([8, 11]);
    });

    test('without words are merged in the order of their queries, each document once', async () => {
      const queries = [
        { filter: 'terms IN ["a"]', attributesToRetrieve: ['id'] },
        { filter: 'terms = d', attributesToRetrieve: ['id', 'bucket'] },
        { filter: 'terms = b', attributesToRetrieve: ['id'] },
      ].map((query) => ({ indexUid: index, ...query }));
      const hit = (id: string, queriesPosition: number, others = {}) => ({
        id,
        ...others,
        _federation: { indexUid: index, queriesPosition, weightedRankingScore: 1 },
      });
      expect(await searchMany(queries, undefined, { limit: 7 })).toEqual({
        status: 200,
        body: {
          hits: [
            ...['d0', 'd1', 'd2', 'd3', 'd6'].map((id) => hit(id, 0)),
            hit('d7', 1, { bucket: 28 }),
            hit('d4', 2),
          ],
          limit: 7,
          offset: 0,
          estimatedTotalHits: 8,
          processingTimeMs: expect.any(Number),
          requestUid: expect.any(String),
        },
      });
    });

    test('say which of several cannot be answered', async () => {
      const ask = (query: object) => searchMany([{ indexUid: index }, query]);
      const where = 'Inside `.queries[1]`: ';
      expect(await ask({ indexUid: missing })).toEqual({
        status: 400,
        body: refusal('index_not_found', `${where}Index \`${missing}\` not found.`),
      });
      const reason = `Index \`${index}\`: Attribute \`nope\` is not filterable. Available filterable attribute patterns are: \`bucket\`, \`datasets\`, \`terms\`, \`unit\`.`;
      expect(await ask({ indexUid: index, filter: 'unit = a AND nope = 1' })).toEqual({
        status: 400,
        body: refusal('invalid_search_filter', expect.stringContaining(`${where}${reason}`)),
      });
    });
  });

  describe('filters', () => {
    test('fold case and width but not accents', async () => {
      expect(await filtered('unit = ODD AND bucket 0 TO 19')).toBe('d1 d3');
      expect(await filtered('unit = "ｏｄｄ" AND bucket 0 TO 19')).toBe('d1 d3');
      expect(await filtered('unit IN ["éVÉN",] AND bucket 0 TO 19')).toBe('d0 d2 d4');
      expect(await filtered('unit = even')).toBe('');
    });

    test('combine', async () => {
      expect(await filtered('datasets IN ["all"] AND unit IN ["odd", "zzz"] AND bucket 0 TO 12')).toBe(
        'd1 d3',
      );
      expect(await filtered('datasets IN [third,none] AND bucket 0 TO 12')).toBe('d1 d2');
      expect(await filtered('bucket 8 TO 16')).toBe('d2 d3 d4');
      expect(await filtered('unit IN []')).toBe('');
    });

    test('in a list hold together, in a list of the list alone', async () => {
      expect(await filtered(['unit = odd', ['terms = d', 'terms IN ["b"] AND terms IN ["c", "e"]']])).toBe(
        'd1 d7',
      );
      expect(await filtered([['terms = g', 'terms = d']])).toBe('d7 d9');
    });

    test('find words of the language of filters, and numbers', async () => {
      const words = ['in', 'or', 'not', 'to', 'exists', 'null', 'nan', 'inf', '1e999', '2020', '007'];
      const uid = `${prefix}_w`;
      await client.perform('POST', '/indexes', { uid, primaryKey: 'id' });
      await client.perform('PATCH', `/indexes/${uid}/settings`, SETTINGS);
      const documents = words.map((word, i) => ({ id: `w${i}`, terms: ['a', word] }));
      await client.perform('POST', `/indexes/${uid}/documents`, documents);
      for (const [i, word] of words.entries()) {
        const { body } = await searchMany([{ indexUid: uid, filter: [`terms IN ["zzz","${word}"]`] }]);
        expect(body.hits).toMatchObject([{ id: `w${i}` }]);
      }
      await client.perform('DELETE', `/indexes/${uid}`);
    });

    test.each(['nope = 1', 'id = d1'])('refuse %s', async (filter) => {
      expect(await filtered(filter)).toBe('invalid_document_filter');
      const { status, body } = await searchMany([{ indexUid: index, filter }]);
      expect([status, body.code]).toEqual([400, 'invalid_search_filter']);
    });
  });

  describe('documents', () => {
    test('are fetched by filter, page by page', async () => {
      const body = { filter: 'bucket 4 TO 12', fields: ['id', 'terms'], limit: 1, offset: 2 };
      expect(await client.send('POST', `/indexes/${index}/documents/fetch`, body)).toEqual({
        status: 200,
        body: { results: [{ id: 'd3', terms: ['a', 'c'] }], offset: 2, limit: 1, total: 3 },
      });
    });

    test('are listed', async () => {
      expect(await client.send('GET', `/indexes/${index}/documents?fields=id&limit=2`)).toEqual({
        status: 200,
        body: { results: [{ id: 'd0' }, { id: 'd1' }], offset: 0, limit: 2, total: TEXTS.length },
      });
    });

    test('are read one by one', async () => {
      expect(await client.send('GET', `/indexes/${index}/documents/d3?fields=id,terms`)).toEqual({
        status: 200,
        body: { id: 'd3', terms: ['a', 'c'] },
      });
      expect(await client.send('GET', `/indexes/${index}/documents/nope`)).toEqual({
        status: 404,
        body: refusal('document_not_found', 'Document `nope` not found.'),
      });
    });

    test('are added, replaced whole, updated and deleted', async () => {
      const path = `/indexes/${other}/documents`;
      /** Their order in the index is of no interest. */
      const held = async () => {
        const { results } = (await client.send('POST', `${path}/fetch`, {})).body;
        return results.sort((a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id));
      };
      const enqueued = await client.send('POST', path, [{ id: '1', x: 1 }, { id: '2' }, { id: '1', y: 2 }]);
      expect(enqueued).toEqual({
        status: 202,
        body: {
          taskUid: expect.any(Number),
          indexUid: other,
          status: 'enqueued',
          type: 'documentAdditionOrUpdate',
          enqueuedAt: TIME,
        },
      });
      expect(await client.settle(enqueued.body.taskUid)).toEqual(
        ended('documentAdditionOrUpdate', other, { receivedDocuments: 3, indexedDocuments: 2 }),
      );
      await client.perform('POST', path, [{ id: '3' }, { id: '2', z: 1 }]);
      expect(await held()).toEqual([{ id: '1', y: 2 }, { id: '2', z: 1 }, { id: '3' }]);
      expect(await client.perform('POST', `${path}/delete-batch`, ['1', 'nope'])).toEqual(
        ended('documentDeletion', other, { providedIds: 2, deletedDocuments: 1, originalFilter: null }),
      );
      const update = [
        { id: '2', y: 3 },
        { id: '4', y: 1 },
      ];
      expect(await client.perform('PUT', path, update)).toEqual(
        ended('documentAdditionOrUpdate', other, { receivedDocuments: 2, indexedDocuments: 2 }),
      );
      expect(await held()).toEqual([{ id: '2', z: 1, y: 3 }, { id: '3' }, { id: '4', y: 1 }]);
      expect((await client.send('GET', `/indexes/${other}/stats`)).body).toMatchObject({
        numberOfDocuments: 3,
        rawDocumentDbSize: expect.any(Number),
      });
      expect(await client.perform('DELETE', path)).toEqual(
        ended('documentDeletion', other, { deletedDocuments: 3 }),
      );
    });
  });

  describe('indexes', () => {
    test('show themselves', async () => {
      expect(await client.send('GET', `/indexes/${index}`)).toEqual({
        status: 200,
        body: { uid: index, createdAt: TIME, updatedAt: TIME, primaryKey: 'id' },
      });
    });

    test.each(['', '/stats', '/settings', '/documents/1'])('that are missing have no %s', async (path) => {
      const answer = { status: 404, body: notFound(missing) };
      expect(await client.send('GET', `/indexes/${missing}${path}`)).toEqual(answer);
    });

    test('are created and deleted once', async () => {
      const body = { uid: index, primaryKey: 'id' };
      const exists = refusal('index_already_exists', `Index \`${index}\` already exists.`);
      expect(await client.perform('POST', '/indexes', body)).toEqual(
        ended('indexCreation', index, { primaryKey: 'id' }, exists),
      );
      expect(await client.perform('DELETE', `/indexes/${missing}`)).toEqual(
        ended('indexDeletion', missing, { deletedDocuments: 0 }, notFound(missing)),
      );
      expect(await client.perform('POST', `/indexes/${missing}/documents/delete-batch`, ['1'])).toEqual(
        ended(
          'documentDeletion',
          missing,
          { providedIds: 1, deletedDocuments: 0, originalFilter: null },
          notFound(missing),
        ),
      );
    });

    test('are swapped in their turn, with the tasks that were for them', async () => {
      const [a, b] = [`${prefix}_c`, `${prefix}_d`];
      for (const uid of [a, b]) await client.perform('POST', '/indexes', { uid, primaryKey: 'id' });
      const swap = [{ indexes: [a, b] }];
      const before = await client.send('POST', `/indexes/${a}/documents`, [{ id: 'before' }]);
      const swapped = await client.send('POST', '/swap-indexes', swap);
      await client.perform('POST', `/indexes/${a}/documents`, [{ id: 'after' }]);
      expect(await client.settle(swapped.body.taskUid)).toEqual(
        ended('indexSwap', null, { swaps: [{ indexes: [a, b], rename: false }] }),
      );
      expect((await client.settle(before.body.taskUid)).indexUid).toBe(b);
      expect((await client.send('GET', `/indexes/${a}/documents/after`)).status).toBe(200);
      expect((await client.send('GET', `/indexes/${b}/documents/before`)).status).toBe(200);
      for (const uid of [a, b]) await client.perform('DELETE', `/indexes/${uid}`);
      const gone = refusal('index_not_found', `Indexes \`${a}\`, \`${b}\` not found.`);
      expect((await client.perform('POST', '/swap-indexes', swap)).error).toEqual(gone);
    });
  });

  describe('settings', () => {
    test('are shown as they were completed', async () => {
      const { body } = await client.send('GET', `/indexes/${index}/settings`);
      expect(body).toEqual({
        ...SETTINGS,
        ...{
          sortableAttributes: [],
          stopWords: [],
          nonSeparatorTokens: [],
          separatorTokens: [],
          dictionary: [],
        },
        ...{
          synonyms: {},
          distinctAttribute: null,
          embedders: {},
          searchCutoffMs: null,
          localizedAttributes: null,
        },
        faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { '*': 'alpha' } },
        typoTolerance: {
          enabled: false,
          minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
          disableOnWords: [],
          disableOnAttributes: [],
          disableOnNumbers: false,
        },
      });
    });

    test('change one by one', async () => {
      const patch = { displayedAttributes: ['b', 'a'], pagination: { maxTotalHits: 5 } };
      const { details } = await client.perform('PATCH', `/indexes/${other}/settings`, patch);
      expect(details).toEqual(patch);
      const { body } = await client.send('GET', `/indexes/${other}/settings`);
      expect(body).toMatchObject({
        ...patch,
        prefixSearch: 'indexingTime',
        typoTolerance: { enabled: true },
      });
    });
  });

  describe('tasks', () => {
    test('are listed from the newest, page by page', async () => {
      const uids: number[] = [];
      for (const id of ['t1', 't2', 't3']) {
        uids.push((await client.perform('POST', `/indexes/${prefix}_t/documents/delete-batch`, [id])).uid);
      }
      const [first, second, third] = uids as [number, number, number];
      const list = async (query: string) => {
        const { body } = await client.send('GET', `/tasks?indexUids=${prefix}_t&${query}`);
        return { ...body, results: body.results.map(({ uid }: { uid: number }) => uid) };
      };
      expect(await list('limit=2&statuses=succeeded,failed')).toEqual({
        results: [third, second],
        total: 3,
        limit: 2,
        from: third,
        next: first,
      });
      expect(await list(`limit=2&from=${first}`)).toEqual({
        results: [first],
        total: 3,
        limit: 2,
        from: first,
        next: null,
      });
      expect(await list('types=documentAdditionOrUpdate')).toEqual({
        results: [],
        total: 0,
        limit: 20,
        from: null,
        next: null,
      });
      expect(await list('statuses=enqueued,processing')).toEqual({
        results: [],
        total: 0,
        limit: 20,
        from: null,
        next: null,
      });
      expect(await client.send('GET', '/tasks/999999999')).toEqual({
        status: 404,
        body: refusal('task_not_found', 'Task `999999999` not found.'),
      });
    });
  });

  describe('tenant tokens', () => {
    const uid = randomUUID();
    let key: string;
    beforeAll(async () => {
      keyUids.push(uid);
      const given = { uid, name: 'tokens', actions: ['search'], indexes: [`${prefix}_*`], expiresAt: null };
      key = (await client.send('POST', '/keys', given)).body.key;
    });
    const sign = (filter: string, { indexUid = index, apiKey = key, lifetimeMs = 60_000 } = {}) =>
      generateTenantToken({
        apiKey,
        apiKeyUid: uid,
        searchRules: { [indexUid]: { filter } },
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
    const ask = async (
      body: object,
      token: string | Promise<string> = sign('unit = odd AND bucket 0 TO 12'),
    ) => client.send('POST', `/indexes/${index}/search`, body, { key: await token });
    const refused = (message: unknown) => ({
      status: 403,
      body: refusal('invalid_api_key', message, 'auth'),
    });

    test('add their filter to each search, whatever that says', async () => {
      const ids = async (body: object) =>
        (await ask(body)).body.hits.map(({ id }: { id: string }) => id).join(' ');
      expect(await ids({})).toBe('d1 d3');
      expect(await ids({ filter: 'bucket 0 TO 4' })).toBe('d1');
      expect(await ids({ filter: [['unit = "évén"', 'unit = odd']] })).toBe('d1 d3');
      expect(await ids({ limit: 1, offset: 1 })).toBe('d3');
    });

    test('see displayed attributes, and every value of a filterable one as a facet', async () => {
      const { terms: _, ...shown } = DOCUMENTS[1]!;
      expect(
        await ask({ limit: 1, attributesToRetrieve: ['*', 'terms'], facets: ['datasets', 'terms'] }),
      ).toEqual({
        status: 200,
        body: {
          hits: [shown],
          query: '',
          processingTimeMs: expect.any(Number),
          limit: 1,
          offset: 0,
          estimatedTotalHits: 2,
          facetDistribution: { datasets: { all: 2, third: 1 }, terms: { a: 2, b: 1, c: 2 } },
          facetStats: {},
          requestUid: expect.any(String),
        },
      });
    });

    test('hold in federated searches', async () => {
      const queries = [{ indexUid: index, filter: 'bucket 0 TO 8' }];
      const { body } = await searchMany(queries, await sign('unit = odd'));
      expect(body.hits).toMatchObject([{ id: 'd1' }]);
    });

    test('permit nothing else', async () => {
      const token = await sign('unit = odd');
      for (const path of ['documents', 'stats', 'settings']) {
        const answer = await client.send('GET', `/indexes/${index}/${path}`, undefined, { key: token });
        expect(answer).toEqual({ status: 403, body: INVALID_KEY });
      }
      const elsewhere = sign('unit = odd', { indexUid: other });
      const message = `The provided tenant token cannot acces the index \`${index}\`, allowed indexes are ["${other}"].`;
      expect(await ask({}, elsewhere)).toEqual(refused(message));
    });

    test('expire, and are refused with the signature of another key', async () => {
      const expired = expect.stringMatching(
        /^Tenant token expired. Was valid up to `\d+` and we're now `\d+`.$/,
      );
      expect(await ask({}, sign('unit = odd', { lifetimeMs: -60_000 }))).toEqual(refused(expired));
      const invalid = 'Could not decode tenant token, InvalidSignature.';
      expect(await ask({}, sign('unit = odd', { apiKey: 'another' }))).toEqual(refused(invalid));
    });
  });

  describe('keys', () => {
    test('are asked for, except by /health', async () => {
      expect(await client.send('GET', '/health', undefined, { key: null })).toEqual({
        status: 200,
        body: { status: 'available' },
      });
      expect(await client.send('GET', '/version', undefined, { key: null })).toEqual({
        status: 401,
        body: MISSING_HEADER,
      });
      expect(await client.send('GET', '/version', undefined, { key: 'wrong' })).toEqual({
        status: 403,
        body: INVALID_KEY,
      });
    });

    test('come from the master key and their uid', async () => {
      const uid = randomUUID();
      keyUids.push(uid);
      const given = {
        uid,
        name: 'test',
        description: 'd',
        actions: ['search'],
        indexes: [`${prefix}_*`],
        expiresAt: null,
      };
      const key = createHmac('sha256', masterKey).update(uid).digest('hex');
      const kept = { ...given, key, createdAt: TIME, updatedAt: TIME };
      expect(await client.send('POST', '/keys', given)).toEqual({ status: 201, body: kept });
      for (const name of [uid, key]) {
        expect(await client.send('GET', `/keys/${name}`)).toEqual({ status: 200, body: kept });
      }
      const queries = [{ indexUid: index }];
      expect((await searchMany(queries, key)).status).toBe(200);
      expect(await client.send('DELETE', `/keys/${uid}`)).toEqual({ status: 204, body: undefined });
      expect(await searchMany(queries, key)).toEqual({ status: 403, body: INVALID_KEY });
      expect(await client.send('GET', `/keys/${uid}`)).toEqual({
        status: 404,
        body: refusal('api_key_not_found', `API key \`${uid}\` not found.`),
      });
    });

    test('reach their indexes and actions only', async () => {
      const key = await createKey(['search', 'documents.get']);
      const list = `["${prefix}_*"]`;
      const message = `The API key cannot acces the index \`elsewhere\`, authorized indexes are ${list}.`;
      expect(await client.send('GET', '/indexes/elsewhere/documents', undefined, { key })).toEqual({
        status: 403,
        body: refusal('invalid_api_key', message, 'auth'),
      });
      expect(await searchMany([{ indexUid: index }, { indexUid: 'elsewhere' }], key)).toEqual({
        status: 403,
        body: { ...INVALID_KEY, message: `Inside \`.queries[1]\`: ${INVALID_KEY.message}` },
      });
      expect(await client.send('POST', `/indexes/${index}/documents`, [], { key })).toEqual({
        status: 403,
        body: INVALID_KEY,
      });
    });

    test('that may not create an index see their task fail', async () => {
      const key = await createKey(['documents.add', 'settings.update', 'indexes.swap', 'tasks.get']);
      expect(await client.perform('POST', `/indexes/${missing}/documents`, [{ id: '1' }], { key })).toEqual(
        ended(
          'documentAdditionOrUpdate',
          missing,
          { receivedDocuments: 1, indexedDocuments: 0 },
          notFound(missing),
        ),
      );
      const patch = { pagination: { maxTotalHits: 9 } };
      expect(await client.perform('PATCH', `/indexes/${missing}/settings`, patch, { key })).toEqual(
        ended('settingsUpdate', missing, patch, notFound(missing)),
      );
      const swap = await client.send('POST', '/swap-indexes', [{ indexes: [index, missing] }], { key });
      expect((await client.settle(swap.body.taskUid)).error).toEqual(notFound(missing));
      const unseen = refusal('task_not_found', `Task \`${swap.body.taskUid}\` not found.`);
      expect(await client.send('GET', `/tasks/${swap.body.taskUid}`, undefined, { key })).toEqual({
        status: 404,
        body: unseen,
      });
    });
  });
});
