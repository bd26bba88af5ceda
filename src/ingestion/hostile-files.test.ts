import { parse, sourceFromBuffer } from '@lectern/file-to-markdown';
import { expect, test } from 'vitest';
import { xhtmlToMarkdown } from '../../packages/file-to-markdown/src/formats/epub/xhtml.js';
import { cpuTime } from '../../packages/file-to-markdown/test/support/cpu-time.js';
import { makeChunks } from './chunking/make-chunks.js';

const MEBIBYTE = 2 ** 20;
/** Seconds of what takes a second at most; where time grows by the square it was tens of seconds, or without end. */
const MOST_MS = 8_000;

const MAIL = 'From: a@example.org\nTo: b@example.org\n';
const MAILBOX = `From a@example.org Sat Jan  3 01:05:34 1996\n${MAIL}Subject: x\n\n`;
const files: [about: string, fileName: string, start: string, unit: string, bytes: number][] = [
  ['one word', 'a.txt', '', 'a', MEBIBYTE],
  ['one name of hosts', 'a.txt', '', 'a.', MEBIBYTE],
  ['Chinese without a mark', 'a.txt', '', '中', MEBIBYTE],
  ['marks of one letter', 'a.txt', 'a', '\u0301\u0316', MEBIBYTE],
  ['empty lines', 'a.txt', 'x', '\n', MEBIBYTE],
  ['headings', 'a.md', '', '# a\n', MEBIBYTE],
  ['targets of links', 'a.md', 'a', '](', MEBIBYTE],
  ['a row that is no delimiter', 'a.md', '', `|x\n|${'-'.repeat(1_990)}x\n\n`, MEBIBYTE],
  ['front matter without an end', 'a.md', '---\n-', ':', MEBIBYTE],
  ['comments', 'a.html', '', '<!---->', 64 * 1024],
  ['open elements', 'a.html', '<html><body>x', '<div>', MEBIBYTE],
  ['open tables', 'a.html', '<html><body>x', '<table><tr><td>', MEBIBYTE / 8],
  ['an open tag', 'a.html', '<html><body>x', '<html', MEBIBYTE],
  ['the name of a tag without an end', 'a.html', '<html><body>x<', 'a', MEBIBYTE],
  ['strings without an end', 'a.json', '[', '"\\"', MEBIBYTE],
  ['a long subject', 'a.eml', `${MAIL}Subject: x`, '\n y', MEBIBYTE / 4],
  ['a list of groups', 'a.eml', `Subject: x\n${MAIL}Cc: `, 'a:', MEBIBYTE / 8],
  ['beginnings of messages', 'a.mbox', MAILBOX, `\n\nFrom x AAA BBB 1 00:00: ${'0'.repeat(5_000)}`, MEBIBYTE],
];

test.each(files)(
  'a file of %s takes linear time',
  async (_, fileName, start, unit, bytes) => {
    const text = start + unit.repeat(bytes / Buffer.byteLength(unit));
    const time = await cpuTime(async () => {
      const parsed = await parse({ source: sourceFromBuffer(Buffer.from(text)), fileName }).catch(
        () => undefined,
      );
      if (parsed)
        await count(makeChunks(parsed, { fileName, lastModified: new Date(0), chunking: { size: 8_000 } }));
    });
    expect(time).toBeLessThan(MOST_MS);
  },
  120_000,
);

async function count(chunks: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  try {
    for await (const _ of chunks) found++;
  } catch {
    // Some of these files have no text.
  }
  return found;
}

test.each([
  '<svg',
  '<svg>',
  '<svg><text>',
  '<math><mi>x',
  '<img alt="a b c">',
  '<head',
  '<body',
  '<a ',
  '<![CDATA[',
])('a part of a book of %j takes linear time', async (unit) => {
  expect(await cpuTime(() => xhtmlToMarkdown(unit.repeat(20_000)))).toBeLessThan(MOST_MS);
});
