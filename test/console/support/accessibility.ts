/// <reference lib="dom" />
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails where axe finds something that keeps people out: all findings but minor ones, each with its first elements. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, which the Content-Security-Policy does not bind.
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations
      .filter(({ impact }) => impact !== 'minor')
      .map(({ id, impact, nodes }) => ({
        rule: `${id} (${impact})`,
        elements: nodes.slice(0, 3).map((node) => node.html.slice(0, 200)),
      }));
  });
  expect(findings).toEqual([]);
}
