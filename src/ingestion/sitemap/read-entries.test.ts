import { describe, expect, test } from 'vitest';
import type { PageBatch, SitemapLimits } from './protocol.js';
import { readEntries } from './read-entries.js';

/** Reads a text that comes in parts; also counts how many of them were asked for. */
async function read(parts: Iterable<string>, limits: Partial<SitemapLimits> = {}) {
  let asked = 0;
  const batches: PageBatch[] = [];
  async function* texts() {
    for (const part of parts) {
      asked++;
      yield part;
    }
  }
  const { sitemaps } = await readEntries(
    texts(),
    { maxPages: 100, maxCharacters: 100_000, maxSitemaps: 10, ...limits },
    async (batch) => void batches.push(batch),
  );
  return {
    pages: batches.flatMap(({ pages }) => pages),
    tooLong: batches.flatMap(({ tooLong }) => tooLong),
    sitemaps,
    batches: batches.length,
    asked,
  };
}

const page = (name: string | number) => `https://site.test/${name}`;
const entry = (name: string | number) => `<url><loc>${page(name)}</loc></url>`;
/** Never ends. */
function* endless(part: (number: number) => string) {
  for (let number = 0; ; number++) yield part(number);
}

describe('wherever the text is cut', () => {
  const text = `\n <?xml version="1.0"?><urlset>${entry('a&amp;b')}<url><loc> <![CDATA[${page('é')}]]>\n</loc></url></urlset>`;
  const list = `\r\n${page('one')}\r\n\r${page('two')}\n  ${page('three')}  `;

  test.each([1, 2, 3, 7, 1000])('in parts of %i, the entries are the same', async (length) => {
    const cut = (whole: string) =>
      Array.from({ length: Math.ceil(whole.length / length) }, (_, i) => whole.substr(i * length, length));
    expect(await read(cut(text))).toMatchObject({ pages: [page('a&b'), page('é')], tooLong: [] });
    expect(await read(cut(list))).toMatchObject({ pages: ['one', 'two', 'three'].map(page), tooLong: [] });
  });

  test('each part gives one batch at most', async () => {
    expect(await read(['<urlset>', entry(1) + entry(2), entry(3), '</urlset>'])).toMatchObject({
      pages: [1, 2, 3].map(page),
      batches: 2,
    });
  });
});

describe('reading stops', () => {
  test.each([
    ['a sitemap', (number: number) => (number === 0 ? '<urlset>' : entry(number))],
    ['a list', (number: number) => `${page(number)}\n`],
  ])('in %s, with the wanted number of pages', async (_, part) => {
    const { pages, asked } = await read(endless(part));
    expect(pages).toHaveLength(100);
    expect(asked).toBeLessThan(105);
  });

  test('with the wanted number of characters', async () => {
    const long = (number: number) => `${page(`${number}/`.padEnd(1_000, 'a'))}\n`;
    const { pages, asked } = await read(endless(long), { maxCharacters: 10_000 });
    expect(pages.join('').length).toBeGreaterThan(10_000);
    expect(pages).toHaveLength(10);
    expect(asked).toBeLessThan(15);
  });

  test.each([
    ['another document', '<html>'],
    ['one too deep', '<urlset>'],
  ])('in %s', async (_, part) => {
    let asked = 0;
    const parts = endless(() => {
      asked++;
      return part;
    });
    await expect(read(parts)).rejects.toMatchObject({
      code: 'unsupported_type',
      message: 'is neither a sitemap nor a feed nor a list of URLs',
    });
    expect(asked).toBeLessThan(100);
  });
});

describe('what is too much is left out', () => {
  const long = page('a'.repeat(2_048));

  test.each([
    ['an entry', ['<urlset>', `<url><loc>${long}</loc></url>`, entry('after'), '</urlset>']],
    [
      'text without end in an entry',
      ['<urlset><url><loc>', ...Array(50).fill(long), '</loc></url>', entry('after')],
    ],
    ['a line', [`${long}\n`, page('after')]],
    ['a line without end', [...Array(50).fill(long), '\n', page('after')]],
  ])('%s, but for its beginning', async (_, parts) => {
    expect(await read(parts)).toMatchObject({ pages: [page('after')], tooLong: [`${long.slice(0, 100)}…`] });
  });

  test('one of just the allowed length is taken', async () => {
    const longest = long.slice(0, 2_048);
    expect(await read([`${longest}\n`])).toMatchObject({ pages: [longest], tooLong: [] });
  });

  test('a beginning never ends within a character', async () => {
    const { tooLong } = await read([`${'x'.repeat(99)}😀${'x'.repeat(3_000)}\n${page(1)}`]);
    expect(tooLong[0]?.isWellFormed()).toBe(true);
  });

  test('further files, above their number', async () => {
    const sitemaps = Array.from({ length: 1_000 }, (_, i) => `<sitemap><loc>${page(i)}</loc></sitemap>`);
    const found = await read(['<sitemapindex>', ...sitemaps, `<sitemap><loc>${long}</loc></sitemap>`]);
    expect(found.sitemaps).toEqual(Array.from({ length: 10 }, (_, i) => page(i)));
  });

  test('what entities stand for', async () => {
    const doctype = '<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>';
    expect(await read([`${doctype}<urlset>${entry('&a;')}${entry('&b;')}</urlset>`])).toMatchObject({
      pages: [page('&a;'), page('&b;')],
    });
  });
});
