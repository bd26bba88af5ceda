/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';

export interface Load {
  /** Milliseconds from the start of the navigation to the first and to the largest paint. */
  firstPaint: number;
  largestPaint: number;
  /** Of all scripts, as they were sent. */
  scriptBytes: number;
}

const WINDOW = { width: 1280, height: 800 };
/** Paints that come later than this after the last request belong to no load. */
const SETTLE_MS = 300;

/** Loads a page in a browser profile that has nothing cached. */
export async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: WINDOW });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(SETTLE_MS);
    return await page.evaluate(async () => {
      const last = (type: string) =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? 0),
          );
          observer.observe({ type, buffered: true });
        });
      const scripts = performance
        .getEntriesByType('resource')
        .filter((entry) => entry.name.endsWith('.js')) as PerformanceResourceTiming[];
      return {
        firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        largestPaint: await last('largest-contentful-paint'),
        scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      };
    });
  } finally {
    await context.close();
  }
}

export interface Scroll {
  /** Turns of the mouse wheel. */
  steps: number;
  /** Position at the end, in pixels. */
  distance: number;
  /** Milliseconds of each frame above 50. */
  longFrames: number[];
}

const STEP_PX = 900;
const STEP_MS = 30;

/** Turns the mouse wheel until the end of a page, or until `steps` are over. */
export async function measureScroll(browser: Browser, url: string, steps: number): Promise<Scroll> {
  const context = await browser.newContext({ viewport: WINDOW });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.evaluate(() => {
      const frames: number[] = [];
      Object.assign(window, { longFramesSeen: frames });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) frames.push(duration);
      }).observe({ type: 'long-animation-frame' });
    });
    await page.mouse.move(WINDOW.width / 2, WINDOW.height / 2);
    let taken = 0;
    for (let before = -1; taken < steps; taken++) {
      await page.mouse.wheel(0, STEP_PX);
      await page.waitForTimeout(STEP_MS);
      if (taken % 50 !== 49) continue;
      const now = await positionOf(page);
      if (now === before) break;
      before = now;
    }
    await page.waitForTimeout(SETTLE_MS);
    const longFrames = await page.evaluate(
      () => (window as unknown as { longFramesSeen: number[] }).longFramesSeen,
    );
    return { steps: taken, distance: await positionOf(page), longFrames };
  } finally {
    await context.close();
  }
}

/** How far the page, or what scrolls in it, was scrolled. */
const positionOf = (page: Page) =>
  page.evaluate(() =>
    Math.max(...[...document.querySelectorAll('*')].map((element) => element.scrollTop), window.scrollY),
  );
