/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';

export interface Interaction {
  name: string;
  /** Milliseconds from each key or click to the next paint; those below 16 count as 16. */
  durations: number[];
}

const WINDOW = { width: 1280, height: 800 };
/** The browser reports what took less as nothing. */
const SHORTEST_MS = 16;
/** What an action causes is over by then, so that it does not delay the next one's paint. */
const PAUSE_MS = 400;

const firstBox = (page: Page) => page.getByRole('checkbox', { name: /^Select Document/ }).first();
const clearSelection = (page: Page) => page.getByRole('button', { name: 'Clear the selection' }).click();
const openList = (page: Page) => page.getByRole('link', { name: 'Documents', exact: true }).first().click();

/** What people do in the list of documents, each action from where the one before it ended. */
const ACTIONS: [name: string, act: (page: Page) => Promise<unknown>][] = [
  ['type in the filter by name', (page) => page.getByLabel('Name, title or URL').pressSequentially('77')],
  ['clear the filter', (page) => pressEach(page, ['Backspace', 'Backspace'])],
  ['select a row', (page) => firstBox(page).click()],
  ['clear the selection', clearSelection],
  ['select all rows', selectAll],
  ['clear all', clearSelection],
  ['move through the rows', moveThroughRows],
  ['open the palette', (page) => page.keyboard.press('Control+k')],
  ['type in the palette', (page) => page.keyboard.type('Document 5', { delay: 60 })],
  ['close the palette', (page) => page.keyboard.press('Escape')],
  ['open a document', openDocument],
  ['go back to the list', openList],
  ['open the overview', (page) => page.getByRole('link', { name: 'Overview', exact: true }).click()],
  ['return to the list', openList],
];

/**
 * Clicks and types in the list of documents, and reads how long each key and click took to the next paint: the
 * duration of its longest event, as "interaction to next paint" counts it (https://web.dev/articles/inp).
 */
export async function measureInteractions(
  browser: Browser,
  url: string,
  rounds: number,
): Promise<Interaction[]> {
  const context = await browser.newContext({ viewport: WINDOW });
  try {
    const page = await context.newPage();
    await page.addInitScript((shortest) => {
      const longest = new Map<number, number>();
      Object.assign(window, { interactionsSeen: longest });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[]) {
          if (entry.interactionId === 0) continue;
          longest.set(
            entry.interactionId,
            Math.max(longest.get(entry.interactionId) ?? shortest, entry.duration),
          );
        }
      }).observe({ type: 'event', durationThreshold: shortest, buffered: true } as PerformanceObserverInit);
    }, SHORTEST_MS);
    await page.goto(url, { waitUntil: 'networkidle' });
    const seen = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const [name, act] of ACTIONS) {
        await act(page);
        await page.waitForTimeout(PAUSE_MS);
        // None is reported of what took less than the browser reports.
        const durations = await takeDurations(page);
        seen.set(name, [...(seen.get(name) ?? []), ...(durations.length > 0 ? durations : [SHORTEST_MS])]);
      }
    }
    return [...seen].map(([name, durations]) => ({ name, durations }));
  } finally {
    await context.close();
  }
}

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Select (all|the first)/ }).click();
  // They are read a page at a time.
  await page.getByRole('button', { name: 'Clear the selection' }).waitFor();
}

async function moveThroughRows(page: Page): Promise<void> {
  await firstBox(page).focus();
  await pressEach(page, ['ArrowDown', 'ArrowDown', 'End', 'Home']);
}

async function openDocument(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: /^Document \d/ }).first();
  await link.click();
}

async function pressEach(page: Page, keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key, { delay: 30 });
}

/** Of the interactions since the last call. */
const takeDurations = (page: Page) =>
  page.evaluate(() => {
    const { interactionsSeen } = window as unknown as { interactionsSeen: Map<number, number> };
    const durations = [...interactionsSeen.values()];
    interactionsSeen.clear();
    return durations;
  });
