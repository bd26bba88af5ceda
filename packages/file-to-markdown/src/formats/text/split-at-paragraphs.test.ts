import { describe, expect, it } from 'vitest';
import { splitAtParagraphs } from './split-at-paragraphs.js';

async function* inParts(text: string, size = 50_000) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}

async function collect(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const stretch of splitAtParagraphs(inParts(text))) found.push(stretch);
  expect(found.join('')).toBe(text);
  return found;
}

const paragraph = `${'A line of some words.\n'.repeat(20)}\n`;

describe('stretches', () => {
  it('leaves a text of usual size whole', async () => {
    expect(await collect(paragraph)).toHaveLength(1);
  });

  it('end between paragraphs', async () => {
    const found = await collect(paragraph.repeat(4000));
    expect(found.length).toBeGreaterThan(2);
    for (const stretch of found) expect(stretch).toMatch(/^A line[\s\S]*\n\n$/);
  });

  it('end before a heading where there is one', async () => {
    const found = await collect(`## Part\n\n${paragraph.repeat(300)}`.repeat(12));
    expect(found.length).toBeGreaterThan(2);
    for (const stretch of found) expect(stretch).toMatch(/^## Part/);
  });

  it('do not end within code', async () => {
    const code = `\`\`\`sh\n${'# a comment\n\nls\n\n'.repeat(60_000)}\`\`\`\n\n`;
    const found = await collect(`${code}${code}Words.`);
    expect(found).toEqual([code, `${code}Words.`]);
  });

  it('end at a line, a blank or any character where there is nothing else', async () => {
    expect((await collect('A line.\n'.repeat(700_000)))[0]).toMatch(/\.\n$/);
    expect((await collect('word '.repeat(1_000_000)))[0]).toMatch(/word $/);
    for (const stretch of await collect('😀'.repeat(2_300_000))) expect(stretch.isWellFormed()).toBe(true);
  });
});
