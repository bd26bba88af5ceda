import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';

// Nothing processes what is imported.
const app = useApp({ role: 'api' });
const documents = () => app.trpc().documents;
const pages = (count: number) => Array.from({ length: count }, (_, place) => `https://pages.test/${place}`);

const importPages = (tenantId: string, count: number, datasetIds: string[]) =>
  documents().createMany.mutate({
    scope: { tenantId, tenantUnitId: 'sales' },
    datasetIds,
    urls: pages(count),
  });

test('a tenant that the statistics of the planner do not know imports as many documents as others', async () => {
  await importPages('acme', 1_500, ['faq']);
  await sql`analyze documents, document_datasets, document_sources`.execute(app.db);

  const { created, skipped, truncated } = await importPages('globex', 4_000, ['manuals', 'faq']);
  expect(created.map(({ url }) => url)).toEqual(pages(4_000));
  expect({ skipped, truncated }).toEqual({ skipped: [], truncated: false });

  const stored = await app.db
    .selectFrom('documents')
    .select(['id', 'datasetIds'])
    .where('tenantId', '=', 'globex')
    .orderBy('id')
    .execute();
  expect(stored).toEqual(created.map(({ id }) => ({ id, datasetIds: ['faq', 'manuals'] })));
  for (const datasetId of ['faq', 'manuals']) {
    const listed = await documents().list.query({ scope: { tenantId: 'globex' }, datasetIds: [datasetId] });
    expect(listed).toMatchObject({ totalCount: 4_000 });
  }
  const queued = await app.db
    .selectFrom('processingJobs')
    .select('documentId')
    .where('tenantId', '=', 'globex')
    .orderBy('sequence')
    .execute();
  expect(queued).toEqual(created.map(({ id }) => ({ documentId: id })));
});
