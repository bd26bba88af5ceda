import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { findChromium } from '../support/chromium.js';
import { createRandom } from '../support/random.js';

/** A page of text that is known, and its picture. */
export interface RenderedPage {
  language: 'en' | 'zh';
  dpi: number;
  /** `clean`, or `askew` by two degrees, or with `noise`. */
  kind: 'clean' | 'askew' | 'noise';
  text: string;
  png: Buffer;
}

/** A4 in the pixels of CSS. */
const PAGE = { width: 794, height: 1123 };
const CSS_DPI = 96;
const SKEW = 2;
/** Of each pixel, in shades; and how many of a thousand become black or white. */
const GRAIN = 24;
const SPECKS = 2;

/**
 * Pages of the texts, in both resolutions: of five, three are clean, one is askew, and one is askew or has noise.
 *
 * @throws Error without Chromium
 */
export async function renderPages(texts: { language: 'en' | 'zh'; text: string }[]): Promise<RenderedPage[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Pages are rendered by Chromium: install it, or name it in CHROMIUM.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const pages: RenderedPage[] = [];
    for (const [index, { language, text }] of texts.entries()) {
      for (const dpi of [150, 300]) {
        const kind = kindOf(pages.length);
        const page = await browser.newPage({ viewport: PAGE, deviceScaleFactor: dpi / CSS_DPI });
        const turned = kind === 'askew' ? `transform: rotate(${SKEW}deg);` : '';
        await page.setContent(
          `<body style="margin:0;background:white"><main style="padding:72px;font:15px/1.5 serif;white-space:pre-wrap;${turned}"></main>`,
        );
        await page.evaluate((given) => {
          const main = document.querySelector('main');
          if (main) main.textContent = given;
        }, text);
        const shot = await page.screenshot();
        const png = kind === 'noise' ? await addNoise(shot, index) : shot;
        pages.push({ language, dpi, kind, text, png });
        await page.close();
      }
    }
    return pages;
  } finally {
    await browser.close();
  }
}

const kindOf = (number: number): RenderedPage['kind'] =>
  number % 10 === 9 ? 'noise' : number % 5 === 3 ? 'askew' : 'clean';

async function addNoise(png: Buffer, seed: number): Promise<Buffer> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const random = createRandom(seed + 1);
  for (let i = 0; i < data.length; i++) {
    const speck = random.next() * 1000;
    const grain = (random.next() - 0.5) * 2 * GRAIN;
    data[i] =
      speck < SPECKS ? (speck < SPECKS / 2 ? 0 : 255) : Math.max(0, Math.min(255, (data[i] ?? 0) + grain));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
    .png()
    .toBuffer();
}
