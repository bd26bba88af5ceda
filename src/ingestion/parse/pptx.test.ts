import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { parsePptx } from './pptx.js';

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

  it('goes by the order of the presentation, and leaves out hidden slides', async () => {
    const { pages } = await parseParts({
      ...presentation,
      'ppt/slides/slide1.xml': slide(title('Last')),
      'ppt/slides/slide2.xml': slide(title('First')),
      'ppt/slides/slide3.xml': slide(title('Hidden'), 'show="0"'),
    });
    expect(pages).toEqual([
      { number: 1, markdown: '# First' },
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

  it('reads drawings and charts', async () => {
    const frame = (content: string) =>
      `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
    const points = (...values: string[]) =>
      `<c:cache>${values.map((value) => `<c:pt><c:v>${value}</c:v></c:pt>`).join('')}</c:cache>`;
    const { pages } = await parseParts({
      ...presentation,
      'ppt/slides/slide2.xml': slide(frame('<dgm:relIds r:dm="d"/>') + frame('<c:chart r:id="c"/>')),
      'ppt/slides/_rels/slide2.xml.rels': relations({
        d: ['diagramData', '../diagrams/data1.xml'],
        c: ['chart', '../charts/chart1.xml'],
      }),
      'ppt/diagrams/data1.xml': `<dgm:dataModel>${paragraph('Arrive')}${paragraph('Depart')}</dgm:dataModel>`,
      'ppt/charts/chart1.xml': `<c:chartSpace><c:chart><c:title>${paragraph('Ships')}</c:title><c:plotArea><c:barChart>
        <c:ser><c:tx>${points('In')}</c:tx><c:cat>${points('May', 'June')}</c:cat><c:val>${points('4', '5')}</c:val></c:ser>
        <c:ser><c:tx>${points('Out')}</c:tx><c:val><c:pt idx="1"><c:v>3</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    });
    expect(pages[0]?.markdown).toBe(
      '- Arrive\n- Depart\n\nShips\n\n|  | In | Out |\n| --- | --- | --- |\n| May | 4 |  |\n| June | 5 | 3 |',
    );
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
