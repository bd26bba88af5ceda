import { beforeAll, describe, test } from 'vitest';
import { waitFor } from '../support/wait-for.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('every screen', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
  const AT = '?tenant=acme&unit=legal';

  beforeAll(async () => {
    const documents = [
      { documentName: 'Deposit', documentContent: 'The deposit is paid back within thirty days.' },
      { documentName: 'A page that is gone', url: 'http://gone.invalid/a/long/address/without/any/space' },
      { documentName: '租赁合同', documentContent: '押金将在三十天内退还。' },
    ];
    await app.trpc().documents.createMany.mutate({
      ...{ scope, documentType: 'UnstructuredFile', datasetIds: ['contracts'], documents },
    });
    const ready = () => app.trpc().documents.list.query({ scope, statuses: ['ready'] });
    await waitFor(async () => (await ready()).totalCount === 2, { what: 'the texts to be processed' });
  });

  const screens = {
    overview: `/overview${AT}`,
    documents: `/documents${AT}`,
    search: `/search${AT}&q=deposit+押金&datasets=contracts`,
    conversations: `/conversations${AT}`,
    operations: `/operations${AT}`,
    keys: `/keys${AT}`,
    webhooks: `/webhooks${AT}`,
    audit: `/audit${AT}`,
  };
  const looks = [
    { colorScheme: 'light', language: 'en' },
    { colorScheme: 'dark', language: 'zh' },
  ] as const;

  test.each(
    Object.entries(screens).flatMap(([name, route]) => looks.map((look) => ({ name, route, ...look }))),
  )('$name fits 400 px and 1280 px and is accessible, $colorScheme, $language', async (screen) => {
    const { name, route, colorScheme, language } = screen;
    for (const width of [400, 1280]) {
      const page = await open(route, { colorScheme, language, viewport: { width, height: 800 } });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
      await screenshot(page, `${name}-${colorScheme}-${language}-${width}`);
      await expectAccessible(page);
    }
  });
});
