import { beforeAll } from 'vitest';
import type { useApp } from '../../support/app.js';
import { waitFor } from '../../support/wait-for.js';

/** Where they are, in the address of a screen. */
export const AT = '?tenant=acme&unit=legal';

/** Two documents that are processed, in English and Chinese, and one that fails. */
export function useThreeDocuments(app: ReturnType<typeof useApp>): void {
  const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
  beforeAll(async () => {
    const documents = [
      { documentName: 'Deposit', documentContent: 'The deposit is paid back within thirty days.' },
      { documentName: 'A page that is gone', url: 'http://gone.invalid/a/long/address/without/any/space' },
      { documentName: '租赁合同', documentContent: '押金将在三十天内退还。' },
    ];
    await app.trpc().documents.createMany.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['contracts'],
      documents,
    });
    const ready = () => app.trpc().documents.list.query({ scope, statuses: ['ready'] });
    await waitFor(async () => (await ready()).totalCount === 2, { what: 'the texts to be processed' });
  });
}
