import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexer, walkTokens } from 'marked';
import { expect, test } from 'vitest';

/* The Chinese pages of the guide follow the English pages of the same name. */

const GUIDE = 'docs/guide';
const CHINESE = `${GUIDE}/zh`;
const pagesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.split(path.sep).join('/'));
const chinese = pagesIn(CHINESE);

/** What is the same in every language, and the links, all in the order of the page. */
function readPage(file: string) {
  const blocks: { language: string; text: string }[] = [];
  const headings: number[] = [];
  const links: string[] = [];
  walkTokens(lexer(readFileSync(file, 'utf8')), (token) => {
    if (token.type === 'code') blocks.push({ language: token.lang ?? '', text: token.text });
    if (token.type === 'heading') headings.push(token.depth);
    if (token.type === 'link') links.push(token.href);
  });
  return { blocks, headings, links };
}

test.each(chinese)('zh/%s has the code blocks and the headings of the English page', (name) => {
  const { blocks, headings } = readPage(`${CHINESE}/${name}`);
  const english = readPage(`${GUIDE}/${name}`);
  expect({ blocks, headings }).toEqual({ blocks: english.blocks, headings: english.headings });
});

test('the tutorial and all how-to pages have a Chinese page', () => {
  const translated = pagesIn(GUIDE).filter((name) => /^(tutorial\.md|how-to\/.+)$/.test(name));
  expect(translated.filter((name) => !chinese.includes(name))).toEqual([]);
});

test('links of Chinese pages lead to Chinese pages where these exist', () => {
  const toEnglish = chinese.flatMap((name) =>
    readPage(`${CHINESE}/${name}`)
      .links.filter((link) => !/^(\w+:|#)/.test(link))
      .map((link) => ({ name, link, page: path.posix.join('zh', name, '..', link.split('#')[0]!) }))
      .filter(({ page }) => !page.startsWith('zh/') && existsSync(`${CHINESE}/${page}`))
      .map(({ link }) => ({ page: `zh/${name}`, link })),
  );
  expect(toEnglish).toEqual([]);
});
