import { describe, expect, it } from 'vitest';
import { fixture, onlyPage } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { parseOdt } from './parse-odt.js';

const content = (body: string, styles = '') =>
  `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
  `<office:body><office:text>${body}</office:text></office:body></office:document-content>`;
const parseBody = (body: string, styles = '', parts: Record<string, string> = {}) =>
  parseWith(parseOdt, zipOf({ 'content.xml': content(body, styles), ...parts }));
const cell = (content: string, attributes = '') =>
  `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const p = (text: string, style = '') => `<text:p text:style-name="${style}">${text}</text:p>`;

describe('OpenDocument text', () => {
  it('reads paragraphs and tables', async () => {
    expect(await parseWith(parseOdt, await fixture('table.odt'))).toEqual({
      pages: onlyPage(
        'Lorem ipsum dolor sit amet.\n\n| Header row | Mon | Wed | Fri |\n| --- | --- | --- | --- |\n' +
          '| Color | Blue | Red | Green |\n| Time | 1pm | 2pm | 3pm |\n| Leader | Sarah | Mark | Ryan |',
      ),
    });
  });

  it('shows check boxes: form controls, fields and content controls', async () => {
    const field = (value: string) =>
      `<field:fieldmark field:type="vnd.oasis.opendocument.field.FORMCHECKBOX"><field:param field:name="Checkbox_Checked" field:value="${value}"/></field:fieldmark>`;
    const { pages } = await parseBody(
      '<office:forms><form:form><form:checkbox form:id="c1" form:label="Paid" form:current-state="checked"/></form:form></office:forms>' +
        p('<draw:control draw:control="c1"/><draw:control draw:control="none"/>') +
        p(`${field('true')} Seen ${field('false')} Late`) +
        p(
          '<loext:content-control loext:checkbox="true" loext:checked="true">\u2612</loext:content-control> Done',
        ),
    );
    expect(pages).toEqual(onlyPage('[x] Paid\n\n[x] Seen [ ] Late\n\n[x] Done'));
  });

  it('reads headings, blanks and spans', async () => {
    const { title, pages } = await parseBody(
      '<text:sequence-decls>no</text:sequence-decls><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
        p('Harbour rules', 'P1') +
        '<text:h text:outline-level="2">Fees<text:tab/>and <text:span>dues</text:span></text:h>' +
        p(
          'a<text:s text:c="2"/>b<text:line-break/>\n  c<office:annotation><text:p>comment</text:p></office:annotation>',
        ),
      '<style:style style:name="P1" style:parent-style-name="Title"/>',
    );
    expect({ title, pages }).toEqual({
      title: 'Harbour rules',
      pages: onlyPage('# Harbour rules\n\n## Fees and dues\n\na  b\nc'),
    });
  });

  it('reads lists', async () => {
    const item = (inside: string) => `<text:list-item>${inside}</text:list-item>`;
    const { pages } = await parseBody(
      `<text:list text:style-name="L1">${item(
        `${p('one')}${p('more')}<text:list>${item(p('deep'))}${item(p('deeper'))}</text:list>`,
      )}${item(p('two'))}${item('<text:h text:outline-level="1">Chapter</text:h>')}</text:list>`,
      '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>' +
        '<text:list-level-style-bullet text:level="2"/></text:list-style>',
    );
    expect(pages).toEqual(onlyPage('1. one\n   more\n  - deep\n  - deeper\n2. two\n\n# Chapter'));
  });

  it('reads the signs of formulas', async () => {
    const frame = (href: string) => `<draw:frame><draw:object xlink:href="./${href}"/></draw:frame>`;
    const math =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>a</mi><mo>=</mo><mfrac><mi>π</mi><mn>2</mn></mfrac></mrow>' +
      '<annotation encoding="StarMath 5.0">a = %pi over 2</annotation></semantics></math>';
    const { pages } = await parseBody(`${p(`With${frame('Object 1')}as above.`)}${frame('Object 2')}`, '', {
      'Object 1/content.xml': math,
      'Object 2/content.xml': math,
    });
    expect(pages).toEqual(onlyPage('With a = π 2 as above.\n\na = π 2'));
  });

  it('puts notes and text boxes after their paragraph', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See there.</text:p></text:note-body></text:note>';
    const box = `<draw:frame><draw:text-box>${p('boxed')}</draw:text-box><svg:desc>picture</svg:desc></draw:frame>`;
    const { pages } = await parseBody(p(`Text${note} goes on.${box}`) + p('Next.'));
    expect(pages).toEqual(onlyPage('Text[1] goes on.\n\nboxed\n\n[1] See there.\n\nNext.'));
  });

  it('reads tables in tables, merged cells and repetitions', async () => {
    const inner = `<table:table><table:table-header-rows><table:table-row>${cell(p('a'))}${cell(p('b'))}</table:table-row>
      </table:table-header-rows><table:table-row>${cell(p('c') + p('d'))}<table:covered-table-cell/></table:table-row>
      <table:table-row>${cell(p('x'), 'table:number-columns-repeated="2"')}</table:table-row>
      <table:table-row table:number-rows-repeated="1048000">${cell('', 'table:number-columns-repeated="16384"')}</table:table-row></table:table>`;
    const { pages } = await parseBody(
      `<table:table><table:table-row>${cell(p('left'))}${cell(inner)}</table:table-row></table:table>`,
    );
    expect(pages).toEqual(onlyPage('left\n\n| a | b |\n| --- | --- |\n| c d |  |\n| x | x |'));
  });

  it('keeps a table whose cells hold a smaller one', async () => {
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const texts = (...all: string[]) => row(...all.map((text) => cell(p(text))));
    const inner = `<table:table>${texts('e', 'f')}${texts('g', 'h')}</table:table>`;
    const { pages } = await parseBody(
      `<table:table>${texts('a', 'b', 'c')}${row(cell(p('d')), cell(inner), cell(p('i')))}${texts('j', 'k', 'l')}</table:table>`,
    );
    expect(pages).toEqual(onlyPage('| a | b | c |\n| --- | --- | --- |\n| d | e f g h | i |\n| j | k | l |'));
  });

  it('counts pages by the breaks that are recorded, and those of styles', async () => {
    const { pages } = await parseBody(
      p('First.', 'New') +
        p('Long, and<text:soft-page-break/> onwards.') +
        `<table:table><table:table-row>${cell(p('a'))}${cell(p('b'))}</table:table-row><table:table-row>${cell(p('1'))}${cell(p('2'))}` +
        `</table:table-row><text:soft-page-break/><table:table-row>${cell(p('3'))}${cell(p('4'))}</table:table-row></table:table>` +
        p('Last.', 'New'),
      '<style:style style:name="New"><style:paragraph-properties fo:break-before="page"/></style:style>',
    );
    expect(pages).toEqual([
      { number: 1, markdown: 'First.\n\nLong, and' },
      { number: 2, markdown: 'onwards.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |' },
      { number: 3, markdown: '| a | b |\n| --- | --- |\n| 3 | 4 |' },
      { number: 4, markdown: 'Last.' },
    ]);
  });

  it('refuses a password', async () => {
    const manifest =
      '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>';
    await expect(parseBody('', '', { 'META-INF/manifest.xml': manifest })).rejects.toMatchObject({
      code: 'encrypted',
    });
  });

  it.each([
    ['no content', { 'meta.xml': '<meta/>' }, 'corrupt'],
    ['another kind of document', { 'content.xml': '<x><body><spreadsheet/></body></x>' }, 'corrupt'],
    ['deep nesting', { 'content.xml': content('<text:section>'.repeat(500)) }, 'too_large'],
  ])('refuses %s', async (_, parts: Record<string, string>, code) => {
    await expect(parseWith(parseOdt, zipOf(parts))).rejects.toMatchObject({ code });
  });
});
