import { describe, expect, it } from 'vitest';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { parseEpub } from './parse-epub.js';

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

  it('reads a book of one part, although its guide calls it the contents', async () => {
    const container = book['META-INF/container.xml'];
    const opf = `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
      <spine><itemref idref="a"/></spine><guide><reference type="toc" href="a.xhtml"/></guide></package>`;
    const { pages } = await parseParts({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': container,
      'OPS/package.opf': opf,
      'OPS/a.xhtml': page('<p>The only page.</p>'),
    });
    expect(pages).toEqual([{ number: 1, markdown: 'The only page.' }]);
  });

  const withChapter = async (body: string) =>
    (await parseParts({ ...book, 'OPS/text/one x.xhtml': page(body) })).pages[1]?.markdown;

  it.each([
    [
      'drawings',
      '<p>Map</p><svg><title>x</title><text y="1">The <tspan y="1">har</tspan>bour</text><path/></svg>',
      'Map\n\nThe harbour',
    ],
    [
      'equations',
      '<p>Fee <math><mi>a</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac><annotation>\\frac</annotation></math></p>',
      'Fee a=1/(2 x)',
    ],
    [
      'what is not printed',
      '<p>One <span epub:type="pagebreak">12</span>two</p><p hidden="hidden">x</p><nav epub:type="page-list"><ol><li>1</li></ol></nav><video><p>Get a newer program.</p></video>',
      'One two',
    ],
    [
      'descriptions that no caption repeats',
      '<figure><img alt="The old crane."/><figcaption>Fig. 1: The old  crane</figcaption></figure><p><img alt="cover"/></p><div><img alt="A ship at the quay"/></div><p><img alt="T"/>he end</p>',
      'Fig. 1: The old crane\n\nA ship at the quay\n\nThe end',
    ],
  ])('reads %s', async (_, body, markdown) => {
    expect(await withChapter(body)).toBe(markdown);
  });

  it('reads drawings in the spine, what stands in for other files, and each part once', async () => {
    const { pages } = await parseParts({
      ...book,
      'OPS/package.opf': `<package><manifest>
        <item id="a" href="a.svg" media-type="image/svg+xml"/><item id="b" href="b.psd" media-type="image/x-psd" fallback="c"/>
        <item id="c" href="text/one%20x.xhtml" media-type="application/xhtml+xml"/><item id="d" href="D%20.htm" media-type="text/xml"/></manifest>
        <spine><itemref idref="a"/><itemref idref="b"/>${'<itemref idref="c"/>'.repeat(100_000)}<itemref idref="d" linear="no"/></spine></package>`,
      'OPS/a.svg': '<svg:svg><svg:text>Cover</svg:text></svg:svg>',
      'OPS/D%20.htm': page('<p>Notes</p>'),
    });
    expect(pages).toEqual([
      { number: 1, markdown: 'Cover' },
      { number: 2, markdown: '## Fees\n\n40 €' },
      { number: 3, markdown: 'Notes' },
    ]);
  });

  it('reports chapters that are missing, and reads the others', async () => {
    const warnings: unknown[] = [];
    const { 'OPS/text/two x.xhtml': _, ...rest } = book;
    const read = (parts: Record<string, string>) =>
      parseWith(parseEpub, zipOf(parts), { warn: (code, where) => warnings.push([code, where]) });
    expect((await read(rest)).pages).toEqual([{ number: 3, markdown: '## Fees\n\n40 €' }]);
    expect(warnings).toEqual([['unreadable_parts', { name: 'OPS/text/two x.xhtml' }]]);
    const { 'OPS/text/one x.xhtml': __, 'OPS/text/toc x.xhtml': ___, ...none } = rest;
    await expect(read(none)).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('reads what stands around the contents', async () => {
    const { pages } = await parseParts({
      ...book,
      'OPS/text/toc x.xhtml': page(
        '<h1>Contents</h1><nav><ol><li>Fees</li></ol></nav><p>Read this first.</p>',
      ),
    });
    expect(pages[1]).toEqual({ number: 2, markdown: '# Contents\n\nRead this first.' });
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
