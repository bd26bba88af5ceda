import { createTRPCClient, httpLink } from '@trpc/client';
import { beforeAll, describe, test } from 'vitest';
import type { AppRouter } from '../../src/routers/index.js';
import { useServerProcess } from '../support/server-process.js';
import { hasBrowser, useBrowser } from './support/browser.js';

describe.skipIf(!hasBrowser)('a server that restarts', () => {
  const env: Record<string, string> = {};
  const server = useServerProcess(env);
  const { open, forgive } = useBrowser(server);
  const scope = { tenantId: 'acme', tenantUnitId: 'legal' };

  beforeAll(async () => {
    await server.start();
    // The one that it has chosen, from then on.
    env.PORT = new URL(server.address).port;
  });

  test('two tabs go on, and see what each other did', async () => {
    const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${server.address}/trpc` })] });
    const create = (documentName: string) =>
      client.documents.create.mutate({
        scope,
        documentName,
        documentType: 'UnstructuredFile',
        datasetIds: ['contracts'],
        documentContent: 'The deposit is paid back within thirty days.',
      });
    await create('Deposit');
    const page = await open('/documents?tenant=acme&unit=legal');
    const beside = await page.context().newPage();
    await beside.goto('/documents?tenant=acme&unit=legal');
    for (const tab of [page, beside])
      await tab
        .getByRole('row', { name: /Deposit/ })
        .getByText('Ready')
        .waitFor();

    await server.kill();
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByRole('alert').waitFor();
    await server.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Deposit/ }).waitFor();

    await create('Lease');
    await beside.reload();
    await beside.getByRole('row', { name: /Lease/ }).getByText('Ready').waitFor();
    await beside.getByRole('row', { name: /Lease/ }).getByRole('switch').click();
    await page.bringToFront();
    await page.reload();
    await page.getByRole('row', { name: /Lease/ }).getByRole('switch', { checked: false }).waitFor();
    forgive(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
  });
});
