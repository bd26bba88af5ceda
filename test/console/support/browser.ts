/// <reference lib="dom" />
import os from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { findChromium } from '../../../bench/support/chromium.js';
import type { Config } from '../../../src/config/config.js';
import { useApp } from '../../support/app.js';

const executablePath = findChromium();

/** On a busy machine. */
const TIMEOUT_MS = 120_000;

/** Whether there is a browser to test with. */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) {
  process.stderr.write(
    `\n!!! SKIPPED: the tests of the console, for want of Chromium. Install it (apt install chromium), or name it in CHROMIUM.\n\n`,
  );
}

/** Where screenshots are written, to be looked at. */
export const screenshots = process.env.SCREENSHOTS ?? path.join(os.tmpdir(), 'lectern-screenshots');

interface Viewer extends BrowserContextOptions {
  /** As the language switch stores it. */
  language?: 'en' | 'zh';
}

/** The server with the built console, and a browser. */
export function useConsole(config: Partial<Config> = {}) {
  const app = useApp(config, { webDir: path.resolve('dist/web') });
  return { app, ...useBrowser(app) };
}

/**
 * A browser for the console of a server. Each test fails at the end where a page printed an error, broke the
 * Content-Security-Policy or asked another host.
 */
export function useBrowser(server: { readonly address: string }) {
  let browser: Browser;
  let problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  return {
    /** Opens a path in a browser that nobody used before. */
    async open(route: string, { language = 'en', ...options }: Viewer = {}): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        baseURL: server.address,
        locale: language === 'zh' ? 'zh-CN' : 'en-GB',
        timezoneId: 'UTC',
        ...options,
      });
      context.setDefaultTimeout(TIMEOUT_MS);
      context.on('page', watch);
      const page = await context.newPage();
      await page.goto(route);
      return page;
    },
    /** What a test provokes, and does not mind. */
    forgive(expected: RegExp): void {
      problems = problems.filter((problem) => !expected.test(problem));
    },
  };

  function watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'blob:' && origin !== server.address) problems.push(`asked ${request.url()}`);
    });
  }
}

/** Writes a screenshot of all of the page. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({
    path: path.join(screenshots, `${name}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}

/** Fails where the page is wider than the window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBe(window);
}
