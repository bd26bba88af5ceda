import { Meilisearch } from 'meilisearch';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { rebuildIndex } from '../../src/search/meilisearch/rebuild.js';
import { INDEX_SETTINGS } from '../../src/search/meilisearch/settings.js';
import { startIndexSync } from '../../src/search/meilisearch/sync.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';
import { openSearchServer } from '../support/search-server.js';
import { waitToHold } from '../support/wait-for.js';
import { SEARCH, TENANT, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';
import { useSearch } from './support/search-service.js';

/* What the search server holds of a chunk, and how an index of a former release or of other settings is replaced. */

const server = await openSearchServer();
const { config } = server;
const service = useSearch(config, { reef: 'A reef of coral.' });
const { app, createDocument, untilInStep } = service;
const admin = new Meilisearch({ host: config.url, apiKey: config.adminKey ?? '' });
const index = admin.index(`${config.prefix}chunks`);
afterAll(() => server.close());

const state = () => app.db.selectFrom('searchIndex').selectAll().executeTakeFirstOrThrow();

async function documentOf(name: string): Promise<Record<string, unknown> | undefined> {
  const { results } = await index.getDocuments({ limit: 1000 });
  return results.find(({ documentName }) => documentName === name);
}

async function engineOf(query: string): Promise<string | null> {
  const body = { tenant_id: 'acme', tenant_unit_id: 'sales', dataset_ids: ['faq'], query };
  const answer = await app.request('POST', SEARCH, { query: TENANT, body });
  expect(answer.body).toMatchObject([{ document_name: 'reef' }]);
  return answer.headers.get('x-search-engine');
}

/** As a server that starts with these properties. */
async function whileSyncing(propertyNames: string[], work: () => Promise<void>): Promise<void> {
  const sync = startIndexSync({
    db: app.db,
    server: connectMeilisearch({ ...config, propertyNames }),
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
  });
  try {
    await work();
  } finally {
    await sync.stop();
  }
}

describe('a document of the index', () => {
  test('has what people look for, in plain names', async () => {
    await createDocument(
      {
        documentName: 'turtles.md',
        title: 'Sea turtles',
        documentContent: '# Turtles\n\n## Green\n\nThe green turtle eats sea grass.',
        customProperties: { team: 'blue' },
      },
      ['faq', 'sea'],
    );
    await app.settle();
    await untilInStep();
    expect(await documentOf('turtles.md')).toEqual({
      id: UUID,
      revision: expect.any(String),
      bucket: expect.any(Number),
      content: expect.stringContaining('The green turtle eats sea grass.'),
      contentComplement: expect.stringContaining('Turtles'),
      keywords: expect.any(Array),
      languages: expect.any(Array),
      documentId: UUID,
      externalId: null,
      documentName: 'turtles.md',
      title: 'Sea turtles',
      documentType: 'UnstructuredFile',
      documentSubType: 'md',
      customProperties: {},
      ...TENANT_UNIT,
      datasetIds: ['faq', 'sea'],
      tenantHash: expect.stringMatching(/^t[0-9a-f]{32}$/),
      unitHash: expect.stringMatching(/^u[0-9a-f]{32}$/),
      datasetHashes: [expect.stringMatching(/^d[0-9a-f]{32}$/), expect.stringMatching(/^d[0-9a-f]{32}$/)],
      terms: expect.arrayContaining(['turtl', 'grass']),
      createdTime: TIME,
      updatedTime: TIME,
    });
  });

  test('has the custom properties that the operator names, after the index is built anew', async () => {
    await whileSyncing(['team'], () =>
      waitToHold(async () =>
        expect(await documentOf('turtles.md')).toMatchObject({ customProperties: { team: 'blue' } }),
      ),
    );
    await waitToHold(async () =>
      expect(await state()).toMatchObject({ propertyNames: ['team'], rebuild: null }),
    );
    await untilInStep();
  });
});

test('while the index is of a former release, PostgreSQL answers, and another is built beside it', async () => {
  expect(await engineOf('coral')).toBe('meilisearch');
  await app.db.updateTable('searchIndex').set({ format: 1 }).execute();
  const { generation } = await state();
  expect(await engineOf('coral')).toBe('postgres');
  expect((await app.get('/readyz')).body.search).toBe('ok');
  await whileSyncing(['team'], () =>
    waitToHold(async () => expect(await state()).toMatchObject({ format: 2, rebuild: null })),
  );
  expect((await state()).generation).toBeGreaterThan(generation);
  expect(await engineOf('coral')).toBe('meilisearch');
});

test('what an operator has set is kept when the index is built anew, and ours is repaired', async () => {
  const synonyms = { reef: ['atoll'] };
  const stopWords = ['the'];
  const typoTolerance = { disableOnWords: ['coral'], enabled: false };
  const { taskUid } = await index.updateSettings({
    synonyms,
    stopWords,
    typoTolerance,
    prefixSearch: 'disabled',
  });
  await waitForTask(admin, taskUid);
  await rebuildIndex({ db: app.db, server: connectMeilisearch({ ...config, propertyNames: ['team'] }) });
  expect(await index.getSettings()).toMatchObject({
    ...INDEX_SETTINGS,
    synonyms,
    stopWords,
    typoTolerance: { ...INDEX_SETTINGS.typoTolerance, disableOnWords: ['coral'] },
  });
  await untilInStep();
});
