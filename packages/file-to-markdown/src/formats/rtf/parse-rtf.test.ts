import { describe, expect, it } from 'vitest';
import { fixture, onlyPage } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { parseRtf } from './parse-rtf.js';

const parseBody = (body: string, head = '\\ansi') =>
  parseWith(parseRtf, Buffer.from(`{\\rtf1${head} ${body}}`, 'latin1'));
const markdownOf = async (body: string, head?: string) => (await parseBody(body, head)).pages[0]?.markdown;

describe('RTF', () => {
  it('reads headings, paragraphs and tables', async () => {
    expect(await parseWith(parseRtf, await fixture('table.rtf'))).toEqual({
      title: 'My First Heading',
      pages: onlyPage(
        '# My First Heading\n\nMy first paragraph.\n\nTable Example:\n\n| Column 1 | Column 2 |\n| --- | --- |\n' +
          '| Row 1, Cell 1 | Row 1, Cell 2 |\n| Row 2, Cell 1 | Row 2, Cell 2 |',
      ),
    });
  });

  it('reads fonts of several code pages', async () => {
    expect(await parseWith(parseRtf, await fixture('japanese.rtf'))).toEqual({
      title: 'タイトル',
      pages: onlyPage('Hello\n\nこんにちは\n\nTest\n\nテスト'),
    });
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset134{\\*\\falt x} B;}{\\f2\\fcharset204 C;}{\\f3\\fcharset2 D;}}';
    expect(
      await markdownOf(
        `${fonts}\\'80 {\\f1\\'b8\\'db\\'bf\\'da\\'b7\\'d1}{\\f2\\'cf\\'ee\\'f0\\'f2}{\\f3\\'b7x} caf\\'e9`,
      ),
    ).toBe('€ 港口费Порт• café');
  });

  it('takes the code page of the document where a font names none', async () => {
    expect(await markdownOf("\\'b8\\'db\\'bf\\'da {\\f7\\'e9t\\'e9}", '\\ansi\\ansicpg936')).toBe('港口 été');
    expect(await markdownOf("\\'8e", '\\mac')).toBe('é');
  });

  it('reads Unicode without what stands there for old readers', async () => {
    expect(await markdownOf("\\u28207?\\u21475\\'bf{\\uc0\\u-10179\\u-8704}\\uc2\\u8364\\'80\\'80!")).toBe(
      '港口😀€!',
    );
    expect(await markdownOf('{\\upr{no}{\\*\\ud{\\u39640 ?}}} {\\u61623 ?}')).toBe('高 •');
  });

  it('reads special characters', async () => {
    expect(
      await markdownOf(
        '\\{a\\}\\\\\\~b\\_c\\-d\\emdash e\\tab\\ldblquote f\\rdblquote\\line g\\rquote s\\bullet \r\nh',
      ),
    ).toBe('{a}\\\u00a0b\u2011cd—e “f”\ng’s•h');
  });

  it('leaves out what is no text', async () => {
    expect(
      await markdownOf(
        '{\\colortbl;\\red1;}{\\*\\generator x;}{\\info{\\author y}}{\\header head\\par}{\\pict\\bin5 }{}}!abc}' +
          '{\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt link}}{\\v hidden} {\\deleted gone}{\\object{\\objdata 00}{\\result shown}}',
      ),
    ).toBe('link shown');
  });

  it('reads lists, notes and text boxes', async () => {
    const item = (sign: string, text: string) => `{\\listtext ${sign}\\tab}${text}\\par`;
    const style = '{\\stylesheet{\\s1\\outlinelevel1 heading 2;}}';
    expect(
      await markdownOf(
        `${style}\\pard\\s1 Fees\\par\\pard ${item('1.', 'one')}${item('2.', 'two')}\\pard\\ilvl1 ${item("\\'b7", 'deep')}` +
          '\\pard Text{\\chftn{\\footnote {\\chftn} See there.}} goes on.{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv b}}{\\shptxt boxed\\par}}{\\shprslt boxed}}\\par Next.',
      ),
    ).toBe('## Fees\n\n1. one\n2. two\n  - deep\n\nText[1] goes on.\n\n[1] See there.\n\nboxed\n\nNext.');
  });

  it('reads cells of several paragraphs and tables in cells', async () => {
    expect(
      await markdownOf(
        '\\trowd\\pard\\intbl a\\par b\\cell c|d\\cell\\row' +
          '\\pard\\intbl\\itap2 x\\nestcell{\\nonesttables no}y\\nestcell{\\*\\nesttableprops\\nestrow}\\pard\\intbl\\itap1\\cell\\cell\\row\\pard After.',
      ),
    ).toBe('| a b | c\\|d |\n| --- | --- |\n| x y |  |\n\nAfter.');
  });

  it('divides pages', async () => {
    const { pages } = await parseBody(
      'One.\\par\\page Two.\\par\\pard\\pagebb Three.\\sect\\sectd\\sbknone\\pard Also three.\\sect\\sectd\\sbkodd Five.',
    );
    expect(pages).toEqual([
      { number: 1, markdown: 'One.' },
      { number: 2, markdown: 'Two.' },
      { number: 3, markdown: 'Three.\n\nAlso three.' },
      { number: 5, markdown: 'Five.' },
    ]);
  });

  it('reads what there is of one that is cut off', async () => {
    expect(await markdownOf('{One.\\par {{Two', '\\ansi')).toBe('One.\n\nTwo');
  });

  it.each([
    ['deep nesting', `{\\rtf1${'{'.repeat(5000)}`],
    ['another kind of file', 'no RTF'],
  ])('refuses %s', async (_, text) => {
    await expect(parseWith(parseRtf, Buffer.from(text))).rejects.toMatchObject({ code: 'corrupt' });
  });
});
