import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { waitToHold } from '../support/wait-for.js';
import { useSearch } from './support/search-service.js';

/* A front end with a token asks the search server itself, in which the text of all tenants is. */

const server = await openSearchServer();
const meilisearch = { ...server.config, publicUrl: server.config.url, propertyNames: ['team', 'secret'] };
const service = useSearch(meilisearch, { reef: 'A reef of coral.' });
const { app, createDocument, patchDocument, untilInStep, firstChunk, switchChunk } = service;
/** On the same database, for callers with keys. */
const guarded = useApp({ authMode: 'required', meilisearch }, { beside: app });
afterAll(() => server.close());
const withoutServer = useApp();
const withoutAddress = useApp({ meilisearch: { ...meilisearch, publicUrl: undefined } }, { beside: app });

type Token = Awaited<ReturnType<typeof tokenOf>>;

const UNIT = { tenantId: 'acme', tenantUnitId: 'sales' };

async function tokenOf(fields: Partial<NewApiKey> = {}, input: { datasetIds?: string[] } = {}) {
  const { key } = await guarded.makeKey({ scopes: ['search'], ...fields });
  const tenantId = fields.scope?.tenantId ?? 'acme';
  return guarded.trpc({ 'x-api-key': key }).search.token.mutate({ scope: { tenantId }, ...input });
}

const indexOf = ({ url, indexUid, token }: Token) =>
  new Meilisearch({ host: url, apiKey: token }).index(indexUid);

/** The names of all documents that a token finds, also with a filter of its holder. */
async function namesOf(token: Token, filter?: string | string[][]): Promise<string[]> {
  const { hits } = await indexOf(token).search('', { limit: 1000, ...(filter && { filter }) });
  return hits.map(({ documentName }) => documentName).sort();
}

const add = (documentName: string, datasetIds: string[], fields: object = {}) =>
  createDocument({ documentName, documentContent: `The ${documentName} is a fish.`, ...fields }, datasetIds);

beforeAll(async () => {
  await add('cod', ['d1']);
  await add('eel', ['d2']);
  await add('ray', ['d1', 'd2'], { customProperties: { team: 'blue', other: 'x', secret: { deep: 1 } } });
  await add('carp', ['d1'], { tenantUnitId: 'support' });
  await add('bass', ['d1'], { tenantUnitId: 'SALES' });
  await add('pike', ['d1'], { tenantId: 'ACME' });
  await add('perch', ['d1'], { tenantId: 'ácme' });
  await app.settle();
  await untilInStep();
});

describe('a token', () => {
  test('reads what its key reaches, and no more', async () => {
    const sales = { scope: UNIT };
    expect(await namesOf(await tokenOf({ ...sales, datasetIds: ['d1'] }))).toEqual(['cod', 'ray']);
    expect(await namesOf(await tokenOf({ ...sales, datasetIds: ['d2'] }))).toEqual(['eel', 'ray']);
    expect(await namesOf(await tokenOf(sales))).toEqual(['cod', 'eel', 'ray', 'reef']);
    expect(await namesOf(await tokenOf({}))).toEqual(['bass', 'carp', 'cod', 'eel', 'ray', 'reef']);
    expect(await namesOf(await tokenOf({}, { datasetIds: ['d2'] }))).toEqual(['eel', 'ray']);
    expect(await namesOf(await tokenOf({ scope: { tenantId: 'ACME' } }))).toEqual(['pike']);
    expect(await namesOf(await tokenOf({ scope: { tenantId: 'ácme' } }))).toEqual(['perch']);
    expect(await namesOf(await tokenOf({ scope: { ...UNIT, tenantUnitId: 'SALES' } }))).toEqual(['bass']);
  });

  test('is refused for what is beyond the key', async () => {
    await expect(tokenOf({ datasetIds: ['d1'] }, { datasetIds: ['d2'] })).rejects.toMatchObject({
      data: { code: 'FORBIDDEN' },
    });
    const { key } = await guarded.makeKey({ scopes: ['documents:read'] });
    const { search } = guarded.trpc({ 'x-api-key': key });
    await expect(search.token.mutate({ scope: { tenantId: 'acme' } })).rejects.toMatchObject({
      data: { code: 'FORBIDDEN' },
    });
  });

  test('reads no more by filters of its holder', async () => {
    const [one, all] = [await tokenOf({ scope: UNIT, datasetIds: ['d1'] }), await tokenOf({})];
    const admin = new Meilisearch({ host: server.config.url, apiKey: server.config.adminKey ?? '' });
    const { results } = await admin.index(one.indexUid).getDocuments({ limit: 1000 });
    const eel = results.find(({ documentName }) => documentName === 'eel')!;
    expect(await namesOf(one, [[`datasetHashes = ${eel.datasetHashes[0]}`]])).toEqual(['ray']);
    for (const filter of ['tenantId = acme', 'tenantId = ACME', `unitHash = ${eel.unitHash}`]) {
      expect(await namesOf(one, [[filter, 'documentType = UnstructuredFile']])).toEqual(['cod', 'ray']);
    }
    expect(await namesOf(all, [['tenantId = ACME', 'tenantUnitId = support']])).not.toContain('pike');
    await expect(namesOf(one, 'datasetIds = d2')).rejects.toThrow('not filterable');
  });

  test('learns no id of another dataset', async () => {
    const token = await tokenOf({ scope: UNIT, datasetIds: ['d1'] });
    const { hits, facetDistribution } = await indexOf(token).search('', {
      attributesToRetrieve: ['*', 'datasetIds', 'datasetHashes', 'terms'],
      facets: ['datasetHashes', 'tenantId', 'tenantUnitId', 'customProperties.team'],
    });
    const ray = hits.find(({ documentName }) => documentName === 'ray');
    expect(ray).toEqual({
      id: expect.any(String),
      revision: expect.any(String),
      content: 'The ray is a fish.',
      contentComplement: '',
      keywords: expect.any(Array),
      languages: expect.any(Array),
      documentId: expect.any(String),
      externalId: null,
      documentName: 'ray',
      title: null,
      documentType: 'UnstructuredFile',
      documentSubType: expect.any(String),
      customProperties: { team: 'blue' },
      ...UNIT,
      createdTime: expect.any(String),
      updatedTime: expect.any(String),
    });
    const { datasetHashes = {}, ...others } = facetDistribution ?? {};
    expect(others).toMatchObject({ tenantId: { acme: 2 }, tenantUnitId: { sales: 2 } });
    // Without the secret of the database nobody finds the id to a hash.
    const { hashSecret } = await app.db.selectFrom('searchIndex').selectAll().executeTakeFirstOrThrow();
    expect(Object.keys(datasetHashes)).toHaveLength(2);
    expect(JSON.stringify({ hits, facetDistribution, token })).not.toMatch(new RegExp(`"d2"|${hashSecret}`));
  });

  test('finds nothing that was disabled, deactivated, deleted or moved', async () => {
    const datasetIds = ['gone'];
    const names = ['ling', 'hake', 'dace', 'chub', 'tope'];
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, (await add(name, datasetIds)).id);
    const idOf = (name: string) => ids.get(name) as string;
    await app.settle();
    await untilInStep();
    const token = await tokenOf({ scope: UNIT, datasetIds });
    expect(await namesOf(token)).toEqual(names.toSorted());
    await patchDocument(idOf('ling'), { enabled: false });
    await switchChunk(await firstChunk(idOf('hake')), 'inactive');
    await app.request('DELETE', `/admin/api/v1/documents/${idOf('dace')}`, { query: { tenantId: 'acme' } });
    await app.trpc().documents.update.mutate({ scope: UNIT, documentId: idOf('chub'), datasetIds: ['d1'] });
    await waitToHold(async () => expect(await namesOf(token)).toEqual(['tope']));
    await app.trpc().documents.update.mutate({
      scope: UNIT,
      documentId: idOf('tope'),
      documentName: 'turbot',
    });
    await waitToHold(async () => expect(await namesOf(token)).toEqual(['turbot']));
    await untilInStep();
  });

  test('lives five minutes, and no longer than its key', async () => {
    const { expiresTime, url, indexUid } = await tokenOf();
    const left = Date.parse(expiresTime) - Date.now();
    expect(left).toBeLessThanOrEqual(300_000);
    expect(left).toBeGreaterThan(200_000);
    expect({ url, indexUid }).toEqual({ url: server.config.url, indexUid: `${server.config.prefix}chunks` });
    const expiring = new Date(Date.now() + 60_000);
    const short = await tokenOf({ expiresTime: expiring });
    expect(Date.parse(short.expiresTime)).toBeLessThanOrEqual(expiring.getTime());
  });

  test('is not given while a change waits for a minute, and the index may have deleted text', async () => {
    await app.db
      .insertInto('searchOutbox')
      .values({
        tenantId: 'acme',
        chunkId: 'late',
        error: 'rejected',
        queuedTime: new Date(Date.now() - 61_000),
      } as never)
      .execute();
    await expect(tokenOf()).rejects.toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await namesOf(await tokenOf({ scope: { tenantId: 'ACME' } }))).toEqual(['pike']);
    await app.db.deleteFrom('searchOutbox').where('chunkId', '=', 'late').execute();
    expect(await namesOf(await tokenOf({}, { datasetIds: ['d2'] }))).toEqual(['eel', 'ray']);
  });

  /** Words are the real server's business. */
  test.skipIf(!process.env.MEILI_URL)(
    'finds words with typing errors, and unfinished ones, in its reach',
    async () => {
      const index = indexOf(await tokenOf({ scope: UNIT, datasetIds: ['d1', 'faq'] }));
      const names = async (words: string) => (await index.search(words)).hits.map((hit) => hit.documentName);
      expect(await names('ray fis')).toEqual(['ray']);
      expect(await names('corel')).toEqual(['reef']);
      expect(await names('eel')).toEqual([]);
      expect(await names('d2')).toEqual([]);
      expect(await names('blue')).toEqual(['ray']);
    },
  );
});

test.each([
  ['without Meilisearch', withoutServer, 'Meilisearch is not configured.'],
  ['without its address for front ends', withoutAddress, 'MEILI_PUBLIC_URL is not set.'],
])('there are no tokens %s', async (_, one, reason) => {
  await expect(one.trpc().search.token.mutate({ scope: { tenantId: 'acme' } })).rejects.toMatchObject({
    message: `There are no search tokens: ${reason}`,
    data: { code: 'CONFLICT' },
  });
});
