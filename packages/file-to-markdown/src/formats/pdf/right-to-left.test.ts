import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes, parseFixture } from '../../../test/support/parse.js';
import { type PdfPage, writePdf } from '../../../test/support/write-pdf.js';

/** Letters of the font are from the left to the right as they are drawn: `dcba` is shalom, `dbe` olam. */
const hebrew = (x: number, y: number, text: string): NonNullable<PdfPage['text']>[number] => [
  x,
  y,
  text,
  { font: 'hebrew' },
];
const markdownOf = async (...text: NonNullable<PdfPage['text']>) =>
  (await parseBytes(writePdf([{ text }]))).pages.map(({ markdown }) => markdown);

describe('right-to-left text of a PDF', () => {
  it('comes in the order in which it is read: words, numbers, brackets, columns, cells', async () => {
    const { title, pages } = await parseFixture('right-to-left.pdf');
    expect({ title, pages }).toEqual({
      title: 'Harbour rules',
      pages: onlyPage(
        [
          'כל ספינה חייבת לדווח שעה לפני הגעתה אל הנמל. התשלום הוא 40 שקלים ליום, או 1,200 שקלים לחודש (ראו סעיף 12). כתובת: harbour@example.test בטלפון.',
          'שָׁלוֹם עֲלֵיכֶם. (1) ראשון; [2] שני "מרכאות" 10%-20%.',
          'يجب على كل سفينة أن تبلغ قبل وصولها بساعة واحدة. الرسم هو 40 درهما في اليوم أو 1,200 درهم في الشهر (انظر المادة 12) منذ 2026-11-28. البريد Harbour Office في الطابق الثاني عَلَيْكُمْ.',
          'The Hebrew word שלום עולם means hello world.',
          '| שם | מחיר |\n| --- | --- |\n| סירה קטנה | 40 |\n| ספינה גדולה | 75 |',
          'הספינה הראשונה הגיעה אל הנמל בבוקר ועגנה ליד הרציף הצפוני במשך שלושה ימים עד',
          'שהסערה עברה. הספינה השנייה הגיעה בערב ועגנה ליד הרציף הדרומי במשך יום אחד.',
        ].join('\n\n'),
      ),
    });
  });

  it('is turned within a line from left to right, which keeps its own order', async () => {
    const text = [
      [50, 700, 'The words'] as const,
      hebrew(100, 700, 'dcba'),
      hebrew(130, 700, 'dbe'),
      [155, 700, '(which are two) end the line.'] as const,
    ];
    expect(await markdownOf(...(text as NonNullable<PdfPage['text']>))).toEqual([
      'The words עלם שלום (which are two) end the line.',
    ]);
  });

  it('ends a paragraph where its last line is short, which is at the left', async () => {
    const line = 'dcba '.repeat(14).trim();
    const full = 'שלום '.repeat(14).trim();
    expect(
      await markdownOf(
        hebrew(50, 700, line),
        hebrew(200, 688, '.dbe dcba'),
        hebrew(50, 676, line),
        hebrew(50, 664, line),
      ),
    ).toEqual([`${full} שלום עלם.\n\n${full} ${full}`]);
  });
});
