import { describe, expect, it } from 'vitest';
import { fixture, onlyPage, parseBytes, parseFixture } from '../../../test/support/parse.js';
import { zipOf } from '../../../test/support/zip.js';
import { TextBudget } from '../../text-budget.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text.replace(/<w:(?:last|br)[^>]*>/g, '</w:t>$&<w:t>')}</w:t></w:r></w:p>`;
const types =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
type Hints = Parameters<typeof parseBytes>[1];
const parseBody = (body: string, parts: Record<string, string> = {}, hints: Hints = {}) =>
  parseBytes(
    zipOf({
      '[Content_Types].xml': types,
      'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
      ...parts,
    }),
    hints,
  );
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const styled = (...runs: [text: string, properties?: string][]) =>
  `<w:p>${runs.map(([text, properties]) => run(text, properties)).join('')}</w:p>`;
const numbered = (text: string, level: number, list = 1) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const relationships = (...targets: [id: string, type: string, target: string][]) =>
  `<Relationships>${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const level = (index: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const list = (id: number, override = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/>${override}</w:num>`;
const numbering = (levels: string, ...lists: string[]) =>
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${lists.join('')}</w:numbering>`;

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
    const plain = (inner: string) => `<w:r>${inner}</w:r>`;
    const text = (content: string) => `<w:t>${content}</w:t>`;
    const { pages } = await parseBody(
      `<w:p>${plain(`${text('a')}<w:cr/>${text('b')}<w:ptab w:alignment="right"/>${text('c')}<w:tab/>${text('d')}`)}` +
        plain(`${text('e')}<w:noBreakHyphen/>${text('f')}<w:softHyphen/>${text('g')}`) +
        `${plain('<w:sym w:font="Wingdings" w:char="F0E0"/>')}` +
        `${plain(`<w:ruby><w:rubyPr/><w:rt>${plain(text('とうきょう'))}</w:rt><w:rubyBase>${plain(text('東京'))}</w:rubyBase></w:ruby>`)}</w:p>`,
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

  it('writes emphasis that a reader of Markdown knows as such, around whole words', async () => {
    const [bold, italic] = ['<w:b/>', '<w:i/>'];
    const { pages } = await parseBody(
      styled(['Pay ', bold], ['the', bold], [' fee ', bold], ['here', `${bold}${italic}`], ['.']) +
        styled(['Har', bold], ['bour, snake_case and ______ '], ['__', italic], ['  ', bold]) +
        styled(['费用', bold], ['在港口'], ['支付。', bold], ['谢谢']) +
        `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>One</w:t><w:br/><w:t>two</w:t></w:r></w:p>` +
        paragraph('x', '<w:pStyle w:val="Heading2"/>').replace('<w:r>', `<w:r><w:rPr><w:b/></w:rPr>`),
    );
    expect(pages).toEqual(
      onlyPage(
        '**Pay the fee _here_**.\n\nHarbour, snake_case and ______ __\n\n**费用**在港口**支付**。谢谢\n\n**One**\n**two**\n\n## x',
      ),
    );
  });

  it('counts lists as they are shown, also where they go on or begin anew', async () => {
    const levels =
      level(0, 'decimal', 'Article %1.') + level(1, 'lowerLetter', '(%2)') + level(2, 'bullet', '•');
    const anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>';
    const { pages } = await parseBody(
      numbered('One', 0) +
        numbered('a', 1) +
        numbered('deep', 2) +
        numbered('b', 1) +
        paragraph('Between.') +
        numbered('Two', 0) +
        numbered('a', 1) +
        numbered('Seven', 0, 2) +
        numbered('None', 0, 0),
      { 'word/numbering.xml': numbering(levels, list(1), list(2, anew)) },
    );
    expect(pages).toEqual(
      onlyPage(
        'Article 1. One\n  (a) a\n    - deep\n  (b) b\n\nBetween.\n\nArticle 2. Two\n  (a) a\nArticle 7. Seven\n\nNone',
      ),
    );
  });

  it('numbers headings as their list does, in the numerals of its language', async () => {
    const levels = level(0, 'chineseCountingThousand', '第%1章') + level(1, 'upperRoman', '%1.%2');
    const styles =
      '<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="c"><w:name w:val="caption"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>';
    const { pages } = await parseBody(
      paragraph('x', '<w:pStyle w:val="h"/>').repeat(12) +
        paragraph('Figure 3', '<w:pStyle w:val="c"/>') +
        paragraph('Fees', '<w:outlineLvl w:val="2"/>'),
      {
        'word/styles.xml': `<w:styles ${W}>${styles}</w:styles>`,
        'word/numbering.xml': numbering(levels, list(1)),
      },
    );
    expect(pages[0]?.markdown).toMatch(
      /^# 第一章 x\n\n# 第二章 x\n[\s\S]*\n\n# 第十二章 x\n\nFigure 3\n\n### Fees$/,
    );
  });

  it('shows a document as if all its changes were accepted', async () => {
    const { pages } = await parseBody(
      `<w:p>${run('Kept')}<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins>${run(' inserted')}</w:ins>` +
        `<w:moveFrom>${run('moved')}</w:moveFrom><w:moveTo>${run(' moved')}</w:moveTo></w:p>` +
        paragraph('Joined ', '<w:rPr><w:del/></w:rPr>') +
        paragraph('again.') +
        `<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>${paragraph('gone')}</w:tc></w:tr></w:tbl>` +
        styled(['Not hidden', ''], [' hidden', '<w:vanish/>']),
    );
    expect(pages).toEqual(onlyPage('Kept inserted moved\n\nJoined again.\n\nNot hidden'));
  });

  it('reads text boxes, fields, content controls and equations once', async () => {
    const box = `<w:txbxContent>${paragraph('In a box.')}</w:txbxContent>`;
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const { pages } = await parseBody(
      `<w:p>${run('Before.')}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
        `<w:p>${mark('begin')}<w:r><w:instrText>IF 1</w:instrText></w:r>${run('2')}${mark('separate')}${run('Result')}${mark('end')}` +
        `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>${mark('end')}</w:p>` +
        `<w:sdt><w:sdtPr/><w:sdtContent>${paragraph('Controlled.')}</w:sdtContent></w:sdt>` +
        `<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>` +
        styled(['10'], ['7', '<w:vertAlign w:val="superscript"/>']),
    );
    expect(pages).toEqual(onlyPage('Before.\n\nIn a box.\n\nResult[x]\n\nControlled.\n\n(a+b)/2\n\n10⁷'));
  });

  it('fills merged cells, and joins the rows of a header', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const row = (properties: string, ...cells: string[]) =>
      `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`;
    const { pages } = await parseBody(
      `<w:tbl>${row('<w:tblHeader/>', cell('Ship'), cell('Fee', '<w:gridSpan w:val="2"/>'))}` +
        row('<w:tblHeader/>', cell(''), cell('day'), cell('night')) +
        row('', cell('Ferry', '<w:vMerge w:val="restart"/>'), cell('1'), cell('2')) +
        `${row('', cell('', '<w:vMerge/>'), cell('3'), cell('4'))}</w:tbl>`,
    );
    expect(pages).toEqual(
      onlyPage('| Ship | Fee day | Fee night |\n| --- | --- | --- |\n| Ferry | 1 | 2 |\n| Ferry | 3 | 4 |'),
    );
  });

  it('keeps equations within a line, apart from words and not from punctuation', async () => {
    const math = (...content: string[]) => `<m:oMath>${content.join('')}</m:oMath>`;
    const letters = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const part = (name: string, ...content: string[]) => `<m:${name}>${content.join('')}</m:${name}>`;
    const binomial = part(
      'f',
      '<m:fPr><m:type m:val="noBar"/></m:fPr>',
      part('num', letters('n')),
      part('den', letters('k')),
    );
    const cases = part('eqArr', part('e', letters('&amp;x, x&gt;0')), part('e', letters('&amp;0')));
    const power = part('sSup', part('e', letters('c')), part('sup', letters('2')));
    const { pages } = await parseBody(
      `<w:p>${run('Energy is')}${math(letters('m'), power)}${run(', or (')}${math(letters('x'))}${math(letters('y'))}${run(')')}${math(letters('z'))}${run('of all.')}</w:p>` +
        `<w:p>${run('With ')}${math(part('d', part('e', binomial)))}${run(' and ')}${math(part('d', '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>', part('e', cases)))}</w:p>` +
        `<w:p>${run('Of ')}${math(part('bar', '<m:barPr><m:pos m:val="top"/></m:barPr>', part('e', letters('x'))))}${math(part('phant', '<m:phantPr><m:show m:val="0"/></m:phantPr>', part('e', letters('unseen'))))}${run('.')}</w:p>`,
    );
    expect(pages).toEqual(
      onlyPage('Energy is mc^2, or (x y)z of all.\n\nWith (n; k) and {x, x>0; 0\n\nOf x\u0305.'),
    );
  });

  it('shows check boxes in a line, around a paragraph and around a cell', async () => {
    const control = (state: string, content: string) =>
      `<w:sdt><w:sdtPr><w:alias w:val="Box"/><w14:checkbox><w14:checked w14:val="${state}"/></w14:checkbox></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const cell = (content: string) => `<w:tc>${content}</w:tc>`;
    const { pages } = await parseBody(
      `<w:p>${control('1', run('☒'))}${run(' Paid ')}${control('0', '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>')}${run(' Late')}</w:p>` +
        control('1', paragraph('☒')) +
        control('0', paragraph('A whole text.')) +
        `<w:tbl><w:tr>${cell(paragraph('Seen'))}${control('false', cell(paragraph('☐')))}</w:tr>` +
        `<w:tr>${cell(paragraph('a'))}${cell(paragraph('b'))}</w:tr></w:tbl>`,
    );
    expect(pages).toEqual(
      onlyPage('[x] Paid [ ] Late\n\n[x]\n\nA whole text.\n\n| Seen | [ ] |\n| --- | --- |\n| a | b |'),
    );
  });

  it('reads texts in other formats, and reports damaged and embedded parts', async () => {
    const warnings: unknown[] = [];
    const { pages } = await parseBody(
      `${paragraph('Body</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:t>.')}<w:altChunk r:id="h"/>`,
      {
        'word/_rels/document.xml.rels': relationships(
          ['h', 'aFChunk', 'chunk.html'],
          ['s', 'styles', 'none.xml'],
          ['p', 'package', 'embeddings/fees.xlsx'],
        ),
        'word/chunk.html': '<html><body><p>From a page.</p></body></html>',
        'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="1"><w:p><w:r><w:t>Cut o`,
      },
      { warn: (...warning) => warnings.push(warning) },
    );
    expect(pages).toEqual(onlyPage('Body[1].\n\n[1] Cut o\n\nFrom a page.'));
    expect(warnings).toEqual([
      ['unreadable_parts', { name: 'word/none.xml' }],
      ['unreadable_attachments', { name: 'word/embeddings/fees.xlsx' }],
      ['unreadable_parts', { name: 'word/footnotes.xml' }],
    ]);
  });

  it.each([
    ['tables', '<w:tbl><w:tr><w:tc>'],
    ['insertions', '<w:p><w:ins>'],
    ['content controls', '<w:sdt><w:sdtContent>'],
  ])('refuses %s nested 100,000 deep', async (_, tags) => {
    await expect(parseBody(tags.repeat(100_000))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('survives styles and lists that lead to themselves, spans without measure and entities', async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="a"><w:name w:val="a"/><w:basedOn w:val="a"/></w:style>' +
      '<w:style w:type="numbering" w:styleId="l"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>';
    const cell = `<w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr>${paragraph('a')}</w:tc>`;
    const { pages } = await parseBody(
      `${paragraph(
        'Text &amp; &many;',
        '<w:pStyle w:val="a"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>',
      )}<w:tbl>${`<w:tr>${cell}${cell}</w:tr>`.repeat(10_000)}</w:tbl>`,
      {
        'word/styles.xml': `<w:styles ${W}>${styles}</w:styles>`,
        'word/numbering.xml': numbering('<w:numStyleLink w:val="l"/>', list(1)),
      },
    );
    expect(pages[0]?.markdown.slice(0, 40)).toBe('Text & &many;\n\n| a | a |\n| --- | --- |\n|');
  });

  it('builds no more text than the budget allows, and a note once', async () => {
    const start = `<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${paragraph('x'.repeat(900))}</w:tc>`;
    const goesOn = '<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr></w:tc><w:tc><w:p/></w:tc></w:tr>';
    const table = `<w:tbl><w:tr>${start}<w:tc>${paragraph('y')}</w:tc></w:tr>${goesOn.repeat(5_000)}</w:tbl>`;
    const budget = { textBudget: new TextBudget(1_000_000) };
    await expect(parseBody(table, {}, budget)).rejects.toMatchObject({ code: 'too_much_text' });
    const note = `<w:footnotes ${W}><w:footnote w:id="1">${paragraph('n'.repeat(50_000))}</w:footnote></w:footnotes>`;
    const body = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'.repeat(10_000);
    const { pages } = await parseBody(body, { 'word/footnotes.xml': note }, budget);
    expect(pages.reduce((sum, { markdown }) => sum + markdown.length, 0)).toBeLessThan(110_000);
  });

  it('refuses one that unpacks to too much, before it does', async () => {
    await expect(parseFixture('bomb.docx')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuses one that is cut off', async () => {
    const bytes = (await fixture('tables.docx')).subarray(0, 6000);
    await expect(parseBytes(bytes, { fileName: 'tables.docx' })).rejects.toMatchObject({ code: 'corrupt' });
  });
});
