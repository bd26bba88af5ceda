import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes, parseFixture, parseString } from '../../../test/support/parse.js';
import { linesAt, writePdf } from '../../../test/support/write-pdf.js';
import { TextBudget } from '../../text-budget.js';

describe('PDF', () => {
  it('reads Chinese whose font is not embedded, line by line without blanks', async () => {
    expect(await parseFixture('chinese.pdf')).toEqual({
      subType: 'pdf',
      mediaType: 'application/pdf',
      pages: [
        {
          number: 1,
          markdown:
            '# 知识库使用手册\n\n本手册说明怎样把文件放进知识库，并且怎样查找其中的内容。系统先把文件变成文字，再把文字切成小段。' +
            '\n\n## 第一章上传文件\n\n用户可以上传多种文件；每个文件的大小不能超过一百兆。',
        },
        {
          number: 2,
          markdown: '## 第二章查找内容\n\n查找时输入问题即可。系统会给出最相关的段落，并注明它们所在的页码。',
        },
      ],
    });
  });

  it('reads page by page and tells how far it is', async () => {
    const progress: number[] = [];
    const { pages } = await parseFixture('contract.pdf', {
      onProgress: (fraction) => progress.push(fraction),
    });
    expect(pages.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(pages[0]?.markdown).toContain('CONSULTANT');
    expect(progress).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1]);
  });

  it('keeps columns apart', async () => {
    const { pages } = await parseFixture('two-columns.pdf');
    expect(pages).toEqual(
      onlyPage('Left column line 1\n\nLeft column line 2\n\nRight column line 1\n\nRight column line 2'),
    );
  });

  it('puts words divided by a soft hyphen together', async () => {
    expect((await parseFixture('soft-hyphen.pdf')).pages).toEqual(onlyPage('optionalhyphen'));
  });

  it('reads what only forbids changes by a password', async () => {
    expect((await parseFixture('owner-password.pdf')).pages).toEqual(onlyPage('Anyone may read this.'));
  });

  it('reads what has been filled into a form, where it stands', async () => {
    expect((await parseFixture('form.pdf')).pages).toEqual(onlyPage('Name: Ada Lovelace\n\nOffice: London'));
  });

  it('shows check boxes and radio buttons of a form', async () => {
    const file = writePdf([
      {
        text: [
          [70, 700, 'Paid'],
          [70, 660, 'Late'],
          [50, 620, 'Season:'],
          [110, 620, 'summer'],
          [180, 620, 'winter'],
        ],
        buttons: [
          [50, 698, 'box', true],
          [50, 658, 'box', false],
          [95, 618, 'radio', false],
          [165, 618, 'radio', true],
        ],
      },
    ]);
    expect((await parseBytes(file)).pages).toEqual(
      onlyPage('[x] Paid\n\n[ ] Late\n\nSeason: [ ] summer [x] winter'),
    );
  });

  it('serves the pages that have text, whatever is wrong with the others', async () => {
    const file = writePdf([
      { hasImage: true },
      { text: [[50, 700, 'The text of the second page']] },
      { isMissing: true },
    ]);
    const warnings: unknown[] = [];
    const { pages } = await parseBytes(file, { warn: (code, where) => warnings.push([code, where]) });
    expect(pages).toEqual([
      { number: 1, markdown: '' },
      { number: 2, markdown: 'The text of the second page' },
      { number: 3, markdown: '' },
    ]);
    expect(warnings).toEqual([
      ['unreadable_pages', { page: 3 }],
      ['pages_without_text', { page: 1 }],
    ]);
  });

  it('stops at the limit of the text before all pages are in memory', async () => {
    const pages = Array.from({ length: 30 }, () => ({ text: linesAt(50, 700, ['x'.repeat(100)]) }));
    const textBudget = new TextBudget(1_000);
    const read: number[] = [];
    const reading = parseBytes(writePdf(pages), {
      textBudget,
      onProgress: (fraction) => read.push(fraction),
    });
    await expect(reading).rejects.toMatchObject({ code: 'too_much_text' });
    expect(read).toHaveLength(10);
  });

  it('leaves the bytes it was given to their owner', async () => {
    const file = writePdf([{ text: [[50, 700, 'Twice the same']] }]);
    expect(await parseBytes(file)).toEqual(await parseBytes(file));
  });

  it.each([
    ['Ice and Wind in the Alps', 'Ice and Wind in the Alps'],
    ['Microsoft Word - report.doc', undefined],
    ['report_final-2', undefined],
    ['untitled', undefined],
  ])('takes the title %s from its description as %s', async (given, title) => {
    expect((await parseBytes(writePdf([{ text: [[50, 700, 'Text']] }], given))).title).toBe(title);
  });

  it.each([
    ['encrypted.pdf', 'encrypted', /password/],
    ['scanned.pdf', 'scanned', /OCR/],
    ['empty.pdf', 'empty_text', /no text/],
  ])('refuses %s as %s', async (name, code, message) => {
    await expect(parseFixture(name)).rejects.toMatchObject({ name: 'ParseError', code });
    await expect(parseFixture(name)).rejects.toThrow(message);
  });

  it('tells pages of pictures from empty ones', async () => {
    await expect(parseBytes(writePdf([{ hasImage: true }]))).rejects.toMatchObject({ code: 'scanned' });
    await expect(parseBytes(writePdf([{ isMissing: true }]))).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('refuses what only begins like a PDF', async () => {
    await expect(parseString('%PDF-1.7\nand then nothing of it')).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('stops between pages', async () => {
    const reason = new Error('stop');
    const abort = new AbortController();
    const onProgress = (fraction: number) => fraction >= 0.3 && abort.abort(reason);
    await expect(parseFixture('contract.pdf', { signal: abort.signal, onProgress })).rejects.toBe(reason);
  });
});
