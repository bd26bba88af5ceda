/**
 * Makes the pictures of the console in docs/images from the demonstration, light and dark. Needs `npm run build` and
 * Chromium, whose path CHROMIUM_PATH may say.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const FOLDER = 'docs/images';
const SEARCH = { q: 'How long do I have to return the goods?', datasets: 'help-center' };

const demo = spawn(process.execPath, ['bin/lectern.js', 'demo'], { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const address = await readAddress();
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
    const url = new URL('/search', address);
    const place = { tenant: 'demo', unit: 'demo', ...SEARCH };
    url.search = new URLSearchParams(place).toString();
    await page.goto(url.href);
    await page.locator('mark').first().waitFor();
    await page.screenshot({ path: `${FOLDER}/search-${colorScheme}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await once(demo, 'close');
}

/** Of the demonstration, once it is ready. */
async function readAddress() {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [address] = /http:\/\/\S+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The demonstration has not started.');
}
