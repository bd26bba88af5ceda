import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ParseInput, parse } from './index.js';

const fixture = (name: string) => readFile(new URL(`../../../test/fixtures/${name}`, import.meta.url));
const parseFixture = async (name: string, hints: Partial<ParseInput> = {}) =>
  parse({ bytes: await fixture(name), fileName: name, ...hints });
const parseString = (text: string, hints: Partial<ParseInput> = {}) =>
  parse({ bytes: Buffer.from(text), ...hints });
const onlyPage = (markdown: string) => [{ number: 1, markdown }];

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
      onlyPage('Left column line 1 Left column line 2\n\nRight column line 1 Right column line 2'),
    );
  });

  it('puts words divided by a soft hyphen together', async () => {
    expect((await parseFixture('soft-hyphen.pdf')).pages).toEqual(onlyPage('optionalhyphen'));
  });

  it.each([
    ['encrypted.pdf', 'encrypted', /password/],
    ['scanned.pdf', 'scanned', /OCR/],
    ['empty.pdf', 'empty_text', /no text/],
  ])('refuses %s as %s', async (name, code, message) => {
    await expect(parseFixture(name)).rejects.toMatchObject({ name: 'ParseError', code, retryable: false });
    await expect(parseFixture(name)).rejects.toThrow(message);
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

  it('unwraps tables around tables', async () => {
    const { pages } = await parseFixture('tables.docx');
    expect(pages[0]?.markdown).toContain(
      '| Header Col 1 | Header Col 2 |\n| --- | --- |\n| Lorem ipsum | A link example |',
    );
    expect(pages[0]?.markdown).toContain('| e | f |\n| --- | --- |\n| g&t | h |');
  });

  it('refuses one that unpacks to too much, before it does', async () => {
    await expect(parseFixture('bomb.docx')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuses one that is cut off', async () => {
    const bytes = (await fixture('tables.docx')).subarray(0, 6000);
    await expect(parse({ bytes, fileName: 'tables.docx' })).rejects.toMatchObject({ code: 'corrupt' });
  });
});

describe('HTML', () => {
  it('takes the article and leaves the menus', async () => {
    const { title, pages } = await parseFixture('article.html');
    const markdown = pages[0]?.markdown ?? '';
    expect(title).toBe('How ferries cross the sound');
    expect(markdown).toMatch(/^# How ferries cross the sound\n\nEvery morning at six/);
    expect(markdown).toContain('## The timetable\n\nThe timetable changes');
    expect(markdown).toContain('| Season | Ships |\n| --- | --- |\n| Summer | 2 |\n| Winter | 1 \\| spare |');
    expect(markdown).toContain('`day_pass`');
    expect(markdown).not.toMatch(/Home|Subscribe|imprint|track/);
  });

  it('takes the whole body where there is no article', async () => {
    const page =
      '<!doctype html><title>T</title><nav>Menu</nav><p>Short_text &amp; <a href="/x">link</a>.</p>';
    expect(await parseString(page)).toEqual({
      subType: 'html',
      mediaType: 'text/html',
      title: 'T',
      pages: onlyPage('Short_text & link.'),
    });
  });

  it('reads a declared code page', async () => {
    const { pages } = await parseFixture('cp1252.html');
    expect(pages[0]?.markdown).toContain('Der Preis betrug 15,50 €.');
  });

  it('survives markup nested very deep', async () => {
    const nested = `<!doctype html><html><body>${'<div>'.repeat(20_000)}deep text${'</div>'.repeat(20_000)}</body></html>`;
    const { pages } = await parseString(nested);
    expect(pages).toEqual(onlyPage('deep text'));
  });
});

describe('CSV', () => {
  const cups =
    '| Stanley Cups |  |  |\n| --- | --- | --- |\n| Team | Location | Stanley Cups |\n| Blues | STL | 1 |\n' +
    '| Flyers | PHI | 2 |\n| Maple Leafs | TOR | 13 |';

  it.each(['stanley-cups.csv', 'stanley-cups-utf-16.csv'])('reads %s', async (name) => {
    const { subType, pages } = await parseFixture(name);
    expect({ subType, markdown: pages[0]?.markdown }).toEqual({ subType: 'csv', markdown: cups });
  });

  it('finds the delimiter', async () => {
    expect((await parseFixture('semicolon.csv')).pages[0]?.markdown).toMatch(/^\| .* \| .* \|/);
    expect((await parseString('a\tb\n"1,5"\t2', { fileName: 'x.tsv' })).pages).toEqual(
      onlyPage('| a | b |\n| --- | --- |\n| 1,5 | 2 |'),
    );
  });

  it('repeats the header over each group of rows', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `name ${index},${'x'.repeat(20)}`);
    const { pages } = await parseString(`id,value\n${rows.join('\n')}`, {
      mediaType: 'text/csv; charset=utf-8',
    });
    const groups = pages[0]?.markdown.split('\n\n') ?? [];
    expect(groups.length).toBeGreaterThan(2);
    for (const group of groups) expect(group).toMatch(/^\| id \| value \|\n\| --- \| --- \|\n\| name /);
  });

  it('refuses a quotation mark that is never closed over megabytes', async () => {
    const text = `a,b\n"${'x,y\n'.repeat(1_500_000)}`;
    await expect(parseString(text, { fileName: 'x.csv' })).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('text', () => {
  it('decodes GB18030', async () => {
    const { subType, pages } = await parseFixture('gb18030.txt');
    expect({ subType, pages }).toEqual({
      subType: 'txt',
      pages: onlyPage('知识库把文件变成文字，再切成小段，供人查找。每一段都记着它所在的页码。价格是五十元。'),
    });
  });

  it('decodes UTF-16 without help', async () => {
    expect((await parseFixture('utf-16-be.txt')).pages[0]?.markdown).toContain('Doylestown, PA');
  });

  it('leaves out what cannot be stored', async () => {
    const { pages } = await parse({
      bytes: Buffer.from(
        '﻿one\r\ntwo\u0000\u001b[0m\u0007 three, and more text than control characters, as in a log of a terminal',
      ),
      fileName: 'a.txt',
    });
    expect(pages).toEqual(
      onlyPage('one\ntwo[0m three, and more text than control characters, as in a log of a terminal'),
    );
  });

  it('reads Markdown with its title', async () => {
    expect(await parseString('# Title\n\nText.', { fileName: 'a.md' })).toEqual({
      subType: 'md',
      mediaType: 'text/markdown',
      title: 'Title',
      pages: onlyPage('# Title\n\nText.'),
    });
  });

  it.each(['', ' \n\t ', '---\n***\n'])('refuses %j as empty', async (text) => {
    await expect(parseString(text, { fileName: 'a.md' })).rejects.toMatchObject({ code: 'empty_text' });
  });
});

describe('what is not read', () => {
  it.each([
    ['empty.xlsx', 'unsupported_type'],
    ['encrypted.xlsx', 'encrypted'],
  ])('refuses %s as %s', async (name, code) => {
    await expect(parseFixture(name)).rejects.toMatchObject({ code });
  });

  it('says what to do', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
    await expect(parse({ bytes: png, fileName: 'a.txt' })).rejects.toThrow(
      'Files of this type (image/png) cannot be read; convert it to PDF, Word (docx), HTML, Markdown, CSV, JSON, XML or plain text and upload that.',
    );
  });
});
