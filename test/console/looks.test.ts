import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { hasBrowser, screenshots, useConsole } from './support/browser.js';
import { AT, useThreeDocuments } from './support/three-documents.js';

/** How screens looked when somebody last liked them. `LOOKS=write` writes them anew. */
const FOLDER = path.resolve('test/console/looks');
/** Of the pixels: other versions of Chromium draw the edges of letters otherwise. */
const MAX_SHARE = 0.003;
/** Of 255, for each of red, green and blue. */
const MAX_DIFFERENCE = 48;

describe.skipIf(!hasBrowser)('screens look as they did', () => {
  const { app, open } = useConsole();
  useThreeDocuments(app);

  const screens: [name: string, shown: string, open: () => Promise<Page>][] = [
    ['documents', 'Deposit', () => open(`/documents${AT}`)],
    ['documents-dark', 'Deposit', () => open(`/documents${AT}`, { colorScheme: 'dark' })],
    ['document', 'Chunk 1', openDocument],
    ['webhooks', 'No webhooks yet', () => open(`/webhooks${AT}`)],
    ['documents-400', 'Deposit', () => open(`/documents${AT}`, { viewport: { width: 400, height: 800 } })],
  ];

  test.each(screens)('%s', async (name, text, show) => {
    const page = await show();
    await page.getByText(text, { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    // Times differ from run to run, and Chinese is in the font of the system.
    await page.locator('time').evaluateAll((times) => {
      for (const time of times) time.textContent = 'some time ago';
    });
    const mask = [page.getByText('租赁合同')];
    const shown = await page.screenshot({ animations: 'disabled', caret: 'hide', mask });
    const file = path.join(FOLDER, `${name}.png`);
    if (process.env.LOOKS === 'write') {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, await sharp(shown).png({ palette: true, quality: 90 }).toBuffer());
    }
    // To be looked at where it fails.
    mkdirSync(screenshots, { recursive: true });
    writeFileSync(path.join(screenshots, `look-${name}.png`), shown);
    expect(await shareOfDifferences(shown, readFileSync(file))).toBeLessThan(MAX_SHARE);
  });

  async function openDocument(): Promise<Page> {
    const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
    const { items } = await app.trpc().documents.list.query({ scope, nameContains: 'Deposit' });
    return open(`/documents/${items[0]?.id}${AT}`);
  }
});

/** The share of pixels, from 0 to 1, that differ between two pictures. All of them do where the sizes differ. */
async function shareOfDifferences(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((png) => sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (!a || !b || a.info.width !== b.info.width || a.info.height !== b.info.height) return 1;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 3) {
    const differs = [0, 1, 2].some(
      (colour) => Math.abs((a.data[at + colour] ?? 0) - (b.data[at + colour] ?? 0)) > MAX_DIFFERENCE,
    );
    if (differs) differing += 1;
  }
  return differing / (a.data.length / 3);
}
