import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { TextBudget } from '../../text-budget.js';
import { parsePptx } from './parse-pptx.js';

const parseParts = (parts: Record<string, string>) => parseWith(parsePptx, zipOf(parts));
const relations = (all: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(all)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (paragraphs: string, placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const slide = (shapes: string, attributes = '') =>
  `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
const title = (text: string) => shape(paragraph(text), '<p:ph type="ctrTitle"/>');

const presentation = {
  'ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r3"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels': relations({
    r1: ['slide', 'slides/slide1.xml'],
    r2: ['slide', '/ppt/slides/slide2.xml'],
    r3: ['slide', 'slides/slide3.xml'],
  }),
};

describe('PowerPoint', () => {
  it('reads title, bullets and text boxes', async () => {
    expect(await parseWith(parsePptx, await fixture('bullets.pptx'))).toEqual({
      title: 'Adding a Bullet Slide',
      pages: [
        {
          number: 1,
          markdown:
            '# Adding a Bullet Slide\n\n- Find the bullet slide layout\n  - Use _TextFrame.text for first bullet\n' +
            '    - Use _TextFrame.add_paragraph() for subsequent bullets\n\nHere is a lot of text!\n\n' +
            'Here is some text in a text box!',
        },
      ],
    });
  });

  it('goes by the order of the presentation, and says which slides are hidden', async () => {
    const { pages } = await parseParts({
      ...presentation,
      'ppt/slides/slide1.xml': slide(title('Last')),
      'ppt/slides/slide2.xml': slide(title('First')),
      'ppt/slides/slide3.xml': slide(title('In reserve') + shape(paragraph('Text')), 'show="0"'),
    });
    expect(pages).toEqual([
      { number: 1, markdown: '# First' },
      { number: 2, markdown: '# In reserve (hidden slide)\n\nText' },
      { number: 3, markdown: '# Last' },
    ]);
  });

  it('reads tables, groups and notes, without footers and numbers', async () => {
    const cell = (text: string) => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl>' +
      `<a:tr>${cell('Length')}${cell('Fee')}</a:tr><a:tr>${cell('10 m')}<a:tc/></a:tr>` +
      '</a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const { pages } = await parseParts({
      ...presentation,
      'ppt/slides/slide2.xml': slide(
        shape(paragraph('Page'), '<p:ph type="ftr"/>') +
          `<p:grpSp><p:grpSp>${shape(paragraph('港口费') + paragraph('once', '<a:pPr lvl="1"><a:buChar char="•"/></a:pPr>'))}</p:grpSp></p:grpSp>` +
          table +
          title('Fees') +
          shape('<a:p><a:fld type="slidenum"><a:t>2</a:t></a:fld></a:p>'),
      ),
      'ppt/slides/_rels/slide2.xml.rels': relations({ n: ['notesSlide', '../notesSlides/notesSlide7.xml'] }),
      'ppt/notesSlides/notesSlide7.xml': slide(
        shape(paragraph('2'), '<p:ph type="sldNum"/>') +
          shape(paragraph('Say why.') + paragraph('Slowly.'), '<p:ph type="body"/>'),
      ),
    });
    expect(pages).toEqual([
      {
        number: 1,
        markdown:
          '# Fees\n\n港口费\n\n  - once\n\n| Length | Fee |\n| --- | --- |\n| 10 m |  |\n\nNotes:\n\nSay why.\n\nSlowly.',
      },
    ]);
  });

  const frame = (content: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  const points = (...values: string[]) =>
    `<c:cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache>`;
  const chartSlide = (chart: string, type = 'chart') => ({
    ...presentation,
    'ppt/slides/slide2.xml': slide(frame('<c:chart r:id="c"/>')),
    'ppt/slides/_rels/slide2.xml.rels': relations({ c: [type, '../charts/chart1.xml'] }),
    'ppt/charts/chart1.xml': `<c:chartSpace>${chart}</c:chartSpace>`,
  });
  const markdownOf = async (parts: Record<string, string>) => (await parseParts(parts)).pages[0]?.markdown;

  it('reads the titles of a chart, and a table of the series with the same categories', async () => {
    const series = (name: string, categories: string, values: string) =>
      `<c:ser><c:tx>${points(name)}</c:tx>${categories}<c:val>${values}</c:val></c:ser>`;
    const months = `<c:cat>${points('May', 'June')}</c:cat>`;
    const days = `<c:cat><c:formatCode>d/m/yy</c:formatCode>${points('37261')}</c:cat>`;
    const chart = `<c:chart><c:title>${paragraph('Ships')}</c:title><c:plotArea>
      <c:barChart>${series('In', months, points('4', '5.000000000000001'))}${series('Out', months, '<c:pt idx="1"><c:v>3</c:v></c:pt>')}</c:barChart>
      <c:lineChart>${series('Late', days, points('7'))}</c:lineChart>
      <c:valAx><c:title>${paragraph('Number')}</c:title></c:valAx></c:plotArea></c:chart>`;
    expect(await markdownOf(chartSlide(chart))).toBe(
      'Ships\n\nNumber\n\n|  | In | Out |\n| --- | --- | --- |\n| May | 4 |  |\n| June | 5 | 3 |\n\n' +
        '|  | Late |\n| --- | --- |\n| 2002-01-05 | 7 |',
    );
  });

  it.each([
    ['General', '37261'],
    ['Standard', '37261'],
    ['"day" 0', '37261'],
    ['[$-409]d-mmm-yy;@', '2002-01-05'],
    ['h:mm AM/PM', '37261'],
  ])('writes a number of the format %s as %s', async (format, text) => {
    const values = `<c:formatCode>${format.replaceAll('"', '&quot;')}</c:formatCode>${points('37261')}`;
    const chart = `<c:chart><c:plotArea><c:barChart><c:ser><c:val>${values}</c:val></c:ser></c:barChart></c:plotArea></c:chart>`;
    expect(await markdownOf(chartSlide(chart))).toBe(`|  |\n| --- |\n| ${text} |`);
  });

  it('reads levels of categories and written labels', async () => {
    const chart = `<c:chart><c:plotArea><c:barChart><c:ser><c:dLbls><c:dLbl><c:tx><c:rich>${paragraph('Strike')}</c:rich></c:tx></c:dLbl></c:dLbls>
      <c:cat><c:multiLvlStrCache><c:lvl>${points('May', 'June')}</c:lvl><c:lvl>${points('2026')}</c:lvl></c:multiLvlStrCache></c:cat>
      <c:val>${points('4', '5')}</c:val></c:ser></c:barChart></c:plotArea></c:chart>`;
    expect(await markdownOf(chartSlide(chart))).toBe(
      '|  |  |  |\n| --- | --- | --- |\n| 2026 | May | 4 |\n|  | June | 5 |\n\n- Strike',
    );
  });

  it('reads charts of newer kinds', async () => {
    const level = (...values: string[]) =>
      `<cx:lvl>${values.map((value, index) => `<cx:pt idx="${index}">${value}</cx:pt>`).join('')}</cx:lvl>`;
    const chart = `<cx:chartData><cx:data id="0"><cx:strDim>${level('Tug', 'Pilot')}</cx:strDim><cx:numDim>${level('40', '60')}</cx:numDim></cx:data></cx:chartData>
      <cx:chart><cx:title><cx:tx><cx:txData><cx:v>Costs</cx:v></cx:txData></cx:tx></cx:title>
      <cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Fee</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>`;
    expect(await markdownOf(chartSlide(chart, 'chartEx'))).toBe(
      'Costs\n\n|  | Fee |\n| --- | --- |\n| Tug | 40 |\n| Pilot | 60 |',
    );
  });

  it('reads SmartArt as it is connected', async () => {
    const point = (id: string, text: string, type = 'node') =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${text && paragraph(text)}</dgm:t></dgm:pt>`;
    const connection = (from: string, to: string, order: number) =>
      `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
    const diagram =
      `<dgm:ptLst>${point('c', 'Moor')}${point('a', 'Arrive')}${point('root', '', 'doc')}${point('b', 'Depart')}${point('x', 'Alone')}</dgm:ptLst>` +
      `<dgm:cxnLst>${connection('root', 'b', 1)}${connection('root', 'a', 0)}${connection('a', 'c', 0)}${connection('c', 'a', 0)}</dgm:cxnLst>`;
    const parts = {
      ...presentation,
      'ppt/slides/slide2.xml': slide(frame('<dgm:relIds r:dm="d"/>')),
      'ppt/slides/_rels/slide2.xml.rels': relations({ d: ['diagramData', '../diagrams/data1.xml'] }),
      'ppt/diagrams/data1.xml': `<dgm:dataModel>${diagram}</dgm:dataModel>`,
    };
    expect(await markdownOf(parts)).toBe('- Arrive\n  - Moor\n- Depart\n- Alone');
  });

  it('reads equations once, and what pictures show', async () => {
    const picture = (description: string) =>
      `<p:pic><p:nvPicPr><p:cNvPr descr="${description}"/></p:nvPicPr></p:pic>`;
    const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const equation = `<a:p><a14:m><m:oMath><m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath></a14:m></a:p>`;
    const alternatives = `<mc:AlternateContent><mc:Choice>${shape(equation)}</mc:Choice><mc:Fallback>${shape(paragraph('x2'))}</mc:Fallback></mc:AlternateContent>`;
    const parts = {
      ...presentation,
      'ppt/slides/slide2.xml': slide(
        alternatives +
          picture('A crane above the quay&#10;&#10;Description automatically generated') +
          picture('harbour crane 2.png') +
          picture('Logo') +
          picture('A crane above the quay'),
      ),
    };
    expect(await markdownOf(parts)).toBe('x^2\n\nA crane above the quay');
  });

  it('leaves out dates and footers', async () => {
    const parts = {
      ...presentation,
      'ppt/slides/slide2.xml': slide(
        title('Fees') +
          ['14 July', 'Draft'].map((text) => shape(paragraph(text), '<p:ph type="dt"/>')).join(''),
      ),
    };
    expect(await markdownOf(parts)).toBe('# Fees\n\nDraft');
  });

  it('takes a title from the properties unless the program wrote it', async () => {
    const titled = async (text: string) => {
      const { title } = await parseParts({
        ...presentation,
        'ppt/slides/slide2.xml': slide(shape(paragraph('Folie 1'))),
        'docProps/core.xml': `<cp:coreProperties><dc:title>${text}</dc:title></cp:coreProperties>`,
        'docProps/app.xml':
          '<Properties><TitlesOfParts><vt:vector><vt:lpstr>Office</vt:lpstr><vt:lpstr>Folie 1</vt:lpstr></vt:vector></TitlesOfParts></Properties>',
      });
      return title;
    };
    expect(await titled('Harbour dues')).toBe('Harbour dues');
    expect(await titled('Folie 1')).toBeUndefined();
    expect(await titled('Présentation PowerPoint')).toBeUndefined();
  });

  it('reports slides of pictures, and parts that cannot be read', async () => {
    const warnings: unknown[] = [];
    const { pages } = await parseWith(
      parsePptx,
      zipOf({
        ...presentation,
        'ppt/slides/slide2.xml': slide('<p:pic><p:blipFill><a:blip/></p:blipFill></p:pic>'),
        'ppt/slides/slide3.xml': 'PNG',
        'ppt/slides/slide1.xml': slide(title('Fees') + frame('<c:chart r:id="c"/>')),
        'ppt/slides/_rels/slide1.xml.rels': relations({ c: ['chart', '../charts/gone.xml'] }),
      }),
      { warn: (code, where) => warnings.push([code, where]) },
    );
    expect(pages).toEqual([
      { number: 1, markdown: '' },
      { number: 3, markdown: '# Fees' },
    ]);
    expect(warnings).toEqual([
      ['pages_without_text', { page: 1 }],
      ['unreadable_parts', { name: 'ppt/slides/slide3.xml' }],
      ['unreadable_parts', { name: 'ppt/charts/gone.xml' }],
    ]);
  });

  it('reads the slides of a file of which some bytes are damaged', async () => {
    const damaged = 'ppt/slides/slide2.xml';
    const bytes = zipOf({
      ...presentation,
      [damaged]: slide(title('Lost')),
      'ppt/slides/slide1.xml': slide(title('Fees')),
    });
    bytes.fill(0xff, bytes.indexOf(damaged) + damaged.length, bytes.indexOf(damaged) + damaged.length + 20);
    const warnings: unknown[] = [];
    const { pages } = await parseWith(parsePptx, bytes, { warn: (_, where) => warnings.push(where.name) });
    expect(pages).toEqual([{ number: 3, markdown: '# Fees' }]);
    expect(warnings).toEqual([damaged, 'ppt/slides/slide3.xml']);
  });

  it('reads a slide once that is listed many times', async () => {
    const { pages } = await parseParts({
      ...presentation,
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${'<p:sldId r:id="r1"/>'.repeat(100_000)}</p:sldIdLst></p:presentation>`,
      'ppt/slides/slide1.xml': slide(title('Fees')),
    });
    expect(pages).toEqual([{ number: 1, markdown: '# Fees' }]);
  });

  it('builds no text beyond the budget', async () => {
    const cells = (count: number) =>
      `<a:tr>${`<a:tc><a:txBody>${paragraph('1')}</a:txBody></a:tc>`.repeat(count)}</a:tr>`;
    const table = frame(`<a:tbl>${cells(2_000)}${cells(1).repeat(2_000)}</a:tbl>`);
    const series = Array.from(
      { length: 2_000 },
      (_, index) => `<c:ser><c:val><c:pt idx="${index}"><c:v>1</c:v></c:pt></c:val></c:ser>`,
    );
    const chart = `<c:chart><c:plotArea><c:barChart>${series.join('')}</c:barChart></c:plotArea></c:chart>`;
    for (const parts of [{ ...presentation, 'ppt/slides/slide2.xml': slide(table) }, chartSlide(chart)]) {
      const read = parseWith(parsePptx, zipOf(parts), { textBudget: new TextBudget(1_000_000) });
      await expect(read).rejects.toMatchObject({ code: 'too_much_text' });
    }
  });

  it('takes no room for points that a chart leaves out', async () => {
    const chart = `<c:chart><c:plotArea><c:barChart><c:ser><c:val><c:ptCount val="10000000"/><c:pt idx="9999999"><c:v>1</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart>`;
    expect(await markdownOf(chartSlide(chart))).toBe('|  |\n| --- |\n| 1 |');
  });

  it('finds the slides without a list of them', async () => {
    const { pages } = await parseParts({
      'ppt/presentation.xml': '<p:presentation/>',
      'ppt/slides/slide10.xml': slide(title('Ten')),
      'ppt/slides/slide2.xml': slide(title('Two')),
    });
    expect(pages.map(({ markdown }) => markdown)).toEqual(['# Two', '# Ten']);
  });

  it('expands no entities', async () => {
    const bomb = `<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${slide(title('x&b;'))}`;
    const { pages } = await parseParts({ 'ppt/slides/slide1.xml': bomb });
    expect(pages).toEqual([{ number: 1, markdown: '# x&b;' }]);
  });

  it.each([
    ['no presentation', { 'word/document.xml': '<w:document/>' }, 'corrupt'],
    ['no XML', { ...presentation, 'ppt/slides/slide2.xml': 'PNG' }, 'corrupt'],
    ['deep nesting', { 'ppt/slides/slide1.xml': '<a>'.repeat(1000) }, 'too_large'],
  ])('refuses %s', async (_, parts: Record<string, string>, code) => {
    await expect(parseParts(parts)).rejects.toMatchObject({ code });
  });
});
