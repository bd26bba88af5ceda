import { describe, expect, it } from 'vitest';
import { fixture, onlyPage, parseBytes, parseFixture } from '../../../test/support/parse.js';
import { zipOf } from '../../../test/support/zip.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text.replace(/<w:(?:last|br)[^>]*>/g, '</w:t>$&<w:t>')}</w:t></w:r></w:p>`;
const types =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const parseBody = (body: string, parts: Record<string, string> = {}) =>
  parseBytes(
    zipOf({
      '[Content_Types].xml': types,
      'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
      ...parts,
    }),
  );

describe('Word', () => {
  it('keeps headings and tables', async () => {
    expect(await parseFixture('headings.docx', { fileName: 'misnamed.txt' })).toEqual({
      subType: 'docx',
      mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      title: 'Harbour rules',
      pages: onlyPage(
        '# Harbour rules\n\nShips report an hour before they arrive.\n\n## Fees\n\n' +
          '| Length | Fee |\n| --- | --- |\n| under 10 m | 40 € |\n| 10 m and more | 75 € |\n\n港口费在到达时支付。',
      ),
    });
  });

  it('keeps a table whose cells hold a smaller one, and unwraps one that holds others side by side', async () => {
    const { pages } = await parseFixture('tables.docx');
    expect(pages[0]?.markdown).toContain(
      '| a | >b< | c |\n| --- | --- | --- |\n| d | e f g&t h | i |\n| j | k | l |',
    );
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
    const table = `<w:tbl>${row(paragraph('a'), paragraph('b'))}${row(paragraph('c'), paragraph('d'))}</w:tbl>`;
    const markdown = '| a | b |\n| --- | --- |\n| c | d |';
    expect((await parseBody(`<w:tbl>${row(table, table)}</w:tbl>`)).pages).toEqual(
      onlyPage(`${markdown}\n\n${markdown}`),
    );
  });

  it('reads line breaks, tabs, hyphens and symbols of any kind, and what stands under small readings', async () => {
    const run = (inner: string) => `<w:r>${inner}</w:r>`;
    const text = (content: string) => `<w:t>${content}</w:t>`;
    const { pages } = await parseBody(
      `<w:p>${run(`${text('a')}<w:cr/>${text('b')}<w:ptab w:alignment="right"/>${text('c')}<w:tab/>${text('d')}`)}` +
        run(`${text('e')}<w:noBreakHyphen/>${text('f')}<w:softHyphen/>${text('g')}`) +
        `${run('<w:sym w:font="Wingdings" w:char="F0E0"/>')}` +
        `${run(`<w:ruby><w:rubyPr/><w:rt>${run(text('とうきょう'))}</w:rt><w:rubyBase>${run(text('東京'))}</w:rubyBase></w:ruby>`)}</w:p>`,
    );
    expect(pages).toEqual(onlyPage('a\nb c de-fg🡪東京'));
  });

  it('counts pages as Word broke them', async () => {
    const { pages } = await parseFixture('page-breaks.docx');
    expect(pages.map(({ number, markdown }) => [number, markdown.slice(0, 25)])).toEqual([
      [1, 'First page, tab here: fol'],
      [2, '<<Text on second page. Th'],
      [3, '<<but break falls inside '],
      [5, '<<producing two page-brea'],
      [6, '<<and then more text proc'],
    ]);
  });

  it('counts pages by the breaks that somebody made, where Word has not', async () => {
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
    const { pages } = await parseBody(
      paragraph('One.', '<w:pageBreakBefore/>') +
        paragraph('Two.', '<w:pageBreakBefore/>') +
        paragraph('Also two.', '<w:pageBreakBefore w:val="0"/><w:sectPr/>') +
        `<w:tbl>${row(paragraph('a'), paragraph('b'))}${row(paragraph('c'), paragraph('d'))}` +
        `${row(paragraph('<w:lastRenderedPageBreak/>e'), paragraph('<w:lastRenderedPageBreak/>f'))}</w:tbl>` +
        paragraph('<w:br w:type="page"/>') +
        '<w:sectPr/>',
    );
    expect(pages).toEqual([
      { number: 1, markdown: 'One.' },
      { number: 2, markdown: 'Two.\n\nAlso two.' },
      { number: 3, markdown: '| a | b |\n| --- | --- |\n| c | d |' },
      { number: 4, markdown: '| a | b |\n| --- | --- |\n| e | f |' },
    ]);
  });

  it('knows headings by their outline level, and keeps notes', async () => {
    const { title, pages } = await parseBody(
      paragraph('港口规则', '<w:pStyle w:val="a1"/>') +
        paragraph('Fees', '<w:pStyle w:val="b"/>') +
        paragraph('Text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> goes on.'),
      {
        'word/styles.xml':
          `<w:styles ${W}><w:style w:type="paragraph" w:styleId="a1"><w:name w:val="标题 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
          `<w:style w:type="paragraph" w:styleId="a2"><w:name w:val="标题 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
          `<w:style w:type="paragraph" w:styleId="b"><w:name w:val="Bob's own"/><w:basedOn w:val="a2"/></w:style></w:styles>`,
        'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${paragraph('See there.')}</w:footnote></w:footnotes>`,
      },
    );
    expect({ title, pages }).toEqual({
      title: '港口规则',
      pages: onlyPage('# 港口规则\n\n## Fees\n\nText[1] goes on.\n\n[1] See there.'),
    });
  });

  it('refuses one that unpacks to too much, before it does', async () => {
    await expect(parseFixture('bomb.docx')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuses one that is cut off', async () => {
    const bytes = (await fixture('tables.docx')).subarray(0, 6000);
    await expect(parseBytes(bytes, { fileName: 'tables.docx' })).rejects.toMatchObject({ code: 'corrupt' });
  });
});
