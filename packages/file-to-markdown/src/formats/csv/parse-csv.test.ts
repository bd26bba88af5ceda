import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes, parseFixture, parseRows, parseString } from '../../../test/support/parse.js';
import { utf32 } from '../../../test/support/utf-32.js';

describe('CSV', () => {
  const cups =
    'Stanley Cups\n\n| Team | Location | Stanley Cups |\n| --- | --- | --- |\n| Blues | STL | 1 |\n' +
    '| Flyers | PHI | 2 |\n| Maple Leafs | TOR | 13 |';

  it.each([
    ['UTF-32', utf32('name,港口\nAda,5\n')],
    ['UTF-32, big end first, with a mark', utf32('\ufeffname,港口\nAda,5\n').swap32()],
  ])('reads %s', async (_, bytes) => {
    const { pages, subType } = await parseBytes(bytes, { fileName: 'a.csv' });
    expect({ pages, subType }).toEqual({
      pages: onlyPage('| name | 港口 |\n| --- | --- |\n| Ada | 5 |'),
      subType: 'csv',
    });
  });

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

  it.each([
    ['Prices of 2026\nname;price\npear;1,5\nplum;2,5', 'x.csv'],
    ['Prices of 2026\nname\tprice\npear\t1,5\nplum\t2,5', 'x.tsv'],
    ['Prices of 2026\nname,price\npear,"1,5"\nplum,"2,5"', 'x.csv'],
  ])('finds the delimiter under a title: %j', async (text, fileName) => {
    expect((await parseString(text, { fileName })).pages).toEqual(
      onlyPage('Prices of 2026\n\n| name | price |\n| --- | --- |\n| pear | 1,5 |\n| plum | 2,5 |'),
    );
  });

  it('reads a single column', async () => {
    const { pages } = await parseString('word\npear\nplum', { fileName: 'x.csv' });
    expect(pages).toEqual(onlyPage('| word |\n| --- |\n| pear |\n| plum |'));
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

  it('writes a row that is too long for a table as records in which each value has its name', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Frequency of ${index}`);
    const text = `Cell,${names}\nT,${names.map((_, index) => index / 8)}\n,${names.map(() => '')}\nB,1,,3`;
    const [head, ...records] =
      (await parseString(text, { fileName: 'x.csv' })).pages[0]?.markdown.split('\n\n') ?? [];
    expect(head).toMatch(/^\| Cell \| Frequency of 0 \|.*\| Frequency of 99 \|\n[| -]+$/);
    expect(records.at(-1)).toBe('Cell: B\nFrequency of 0: 1\nFrequency of 2: 3');
    const parts = records.slice(0, -1).map((record) => record.split('\n'));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(([first]) => first)).toEqual(parts.map(() => 'Cell: T'));
    expect(parts.flatMap(([, ...lines]) => lines)).toEqual(
      names.map((name, index) => `${name}: ${index / 8}`),
    );
    for (const record of records) expect(record.length).toBeLessThan(810);
  });

  it('names each value of a sheet that is too wide for its header to be repeated', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Quarter ${index}`);
    const rows = [0, 1].map((row) => `R${row},${names.map((_, index) => (index % 20 === row ? '7' : ''))}`);
    const { pages } = await parseString(`Cell,${names}\n${rows.join('\n')}`, { fileName: 'x.csv' });
    const [, ...records] = pages[0]?.markdown.split('\n\n') ?? [];
    expect(records).toEqual([
      'Cell: R0\nQuarter 0: 7\nQuarter 20: 7',
      'Cell: R1\nQuarter 1: 7\nQuarter 21: 7',
    ]);
  });

  it('writes only the long rows as records', async () => {
    const long = 'words and '.repeat(120).trim();
    const text = `id,note\n1,short\n2,"${long}"\n3,end`;
    const head = '| id | note |\n| --- | --- |';
    expect((await parseString(text, { fileName: 'x.csv' })).pages).toEqual(
      onlyPage(`${head}\n| 1 | short |\n\nid: 2\nnote: ${long}\n\n${head}\n| 3 | end |`),
    );
  });

  it('tells which row of the file each line shows', async () => {
    const long = 'words and '.repeat(120).trim();
    const text = `Notes of 2026\n\n,,\nid,note\n1,"two\nlines"\n\n2,"${long}"\n3,end\n`;
    expect(await parseRows(Buffer.from(text), { fileName: 'x.csv' })).toEqual([
      [undefined, 1, 'Notes of 2026'],
      [undefined, 4, '| id | note |'],
      [undefined, 5, '| 1 | two lines |'],
      [undefined, 7, 'id: 2'],
      [undefined, 7, `note: ${long}`],
      [undefined, 8, '| 3 | end |'],
    ]);
  });

  it('tells rows across the parts of a long file', async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `${index + 2},value`);
    const lines = await parseRows(Buffer.from(`id,value\n${rows.join('\n')}`), { fileName: 'x.csv' });
    expect(lines.length).toBe(9_001);
    for (const [, row, line] of lines.slice(1)) expect(line).toBe(`| ${row} | value |`);
  });

  it('refuses a quotation mark that is never closed over megabytes', async () => {
    const text = `a,b\n"${'x,y\n'.repeat(1_500_000)}`;
    await expect(parseString(text, { fileName: 'x.csv' })).rejects.toMatchObject({ code: 'too_large' });
  });
});
