import { describe, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';
import { AT, useThreeDocuments } from './support/three-documents.js';

describe.skipIf(!hasBrowser)('every screen', () => {
  const { app, open } = useConsole();
  useThreeDocuments(app);

  const screens = {
    overview: `/overview${AT}`,
    documents: `/documents${AT}`,
    search: `/search${AT}&q=deposit+押金&datasets=contracts`,
    conversations: `/conversations${AT}`,
    operations: `/operations${AT}`,
    keys: `/keys${AT}`,
    members: `/members${AT}`,
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
