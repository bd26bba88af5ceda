import { describe, expect, it } from 'vitest';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { parseEpub } from './epub.js';

const page = (body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><style>p {}</style></head><body>${body}</body></html>`;
const item = (id: string, properties = '') =>
  `<item id="${id}" href="text/${id}%20x.xhtml" media-type="application/xhtml+xml" properties="${properties}"/>`;
const book = {
  'META-INF/container.xml':
    '<container><rootfiles><rootfile full-path="OPS/package.opf"/></rootfiles></container>',
  'OPS/package.opf':
    '<package><metadata><dc:title>Harbour\n rules</dc:title><dc:title>Subtitle</dc:title></metadata>' +
    `<manifest>${item('one')}${item('two')}${item('toc', 'nav')}<item id="css" href="a.css" media-type="text/css"/></manifest>` +
    '<spine><itemref idref="two"/><itemref idref="toc"/><itemref idref="css"/><itemref idref="one"/><itemref idref="gone"/></spine></package>',
  'OPS/text/one x.xhtml': page('<h2>Fees</h2><p><a id="p1"/>40 &#8364;</p><script>x</script>'),
  'OPS/text/two x.xhtml': page(
    '<h1>港口规则</h1><p>Ships report in the caf&eacute;. <ruby>東京<rt>とうきょう</rt></ruby></p>',
  ),
  'OPS/text/toc x.xhtml': page('<nav><ol><li>Fees</li></ol></nav>'),
};
const parseParts = (parts: Record<string, string>) => parseWith(parseEpub, zipOf(parts));
const encryption = (uri: string) => ({
  'META-INF/encryption.xml': `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
});

describe('e-books', () => {
  it('reads in the order of the spine, without the contents', async () => {
    expect(await parseParts(book)).toEqual({
      title: 'Harbour rules',
      pages: [
        { number: 1, markdown: '# 港口规则\n\nShips report in the café. 東京' },
        { number: 3, markdown: '## Fees\n\n40 €' },
      ],
    });
  });

  it('leaves out the contents that a guide names, unless they share a part with other text', async () => {
    const withGuide = (href: string) =>
      parseParts({
        ...book,
        'OPS/package.opf': book['OPS/package.opf'].replace(
          '</package>',
          `<guide><reference type="toc" href="${href}"/></guide></package>`,
        ),
      });
    expect((await withGuide('text/one%20x.xhtml')).pages.map(({ number }) => number)).toEqual([1]);
    expect((await withGuide('text/one%20x.xhtml#toc')).pages.map(({ number }) => number)).toEqual([1, 3]);
  });

  it('refuses protection against copying, but not hidden fonts', async () => {
    const protectedBook = parseParts({ ...book, ...encryption('OPS/text/one%20x.xhtml') });
    await expect(protectedBook).rejects.toMatchObject({ code: 'encrypted' });
    expect((await parseParts({ ...book, ...encryption('OPS/font.otf') })).pages).toHaveLength(2);
  });

  it('refuses a ZIP without a book', async () => {
    await expect(parseParts({ mimetype: 'application/epub+zip' })).rejects.toMatchObject({ code: 'corrupt' });
  });
});
