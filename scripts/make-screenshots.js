/**
 * Makes the pictures of the console in docs/images from the demonstration, light and dark. Needs `npm run build` and
 * Chromium, whose path CHROMIUM_PATH may say.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = 'docs/images';
const SEARCH = { q: 'How long do I have to return the goods?', datasets: 'help-center' };
/** Each in the light, and where it says so in the dark; `show` ends when there is something to see. */
const PICTURES = [
  {
    name: 'search',
    path: '/search',
    search: SEARCH,
    show: (page) => page.locator('mark').first().waitFor(),
    hasDark: true,
  },
  { name: 'overview', path: '/overview', show: (page) => page.waitForLoadState('networkidle') },
  { name: 'datasets', path: '/datasets', show: (page) => page.getByText('help-center').first().waitFor() },
];

const demo = spawn(process.execPath, ['bin/lectern.js', 'demo'], { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const address = await readAddress();
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, search, show, hasDark = false } of PICTURES) {
    for (const colorScheme of hasDark ? ['light', 'dark'] : ['light']) {
      const page = await browser.newPage({
        viewport: { width: 1280, height: 900 },
        deviceScaleFactor: 2,
        colorScheme,
      });
      const url = new URL(path, address);
      url.search = new URLSearchParams({ tenant: 'demo', unit: 'demo', ...search }).toString();
      await page.goto(url.href);
      await show(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      await sharp(picture).png({ palette: true }).toFile(`${FOLDER}/${name}-${colorScheme}.png`);
      await page.close();
    }
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
