import { describe, expect, it } from 'vitest';
import { onlyPage } from '../../../test/support/parse.js';
import { sourceFromBuffer } from '../../source-bytes.js';
import { parseJson } from './parse-json.js';
import { parseNdjson } from './parse-ndjson.js';

async function render(text: string, parser = parseJson) {
  const { pages, title } = await parser({ source: sourceFromBuffer(Buffer.from(text)) });
  const all = [];
  for await (const page of pages) all.push(page);
  return { pages: all, ...(title && { title }) };
}

describe('JSON', () => {
  it('gives each value the path to it', async () => {
    const value = {
      title: 'Ferries',
      open: true,
      stops: ['North', 'South'],
      none: [],
      ship: { name: 'Aurora', built: { year: 1987, at: null } },
      notes: 'Two\nlines',
    };
    expect(await render(JSON.stringify(value))).toEqual({
      title: 'Ferries',
      pages: onlyPage(
        'title: Ferries\nopen: true\n\nstops: North, South\n\nnone: []\n\n' +
          'ship.name: Aurora\nship.built.year: 1987\nship.built.at: null\n\nnotes:\nTwo\nlines',
      ),
    });
  });

  it('makes a table of objects of one shape', async () => {
    const value = {
      rates: [
        { day: 'Mon', price: 1 },
        { day: 'Tue', price: 2, note: 'a|b' },
      ],
    };
    expect((await render(JSON.stringify(value))).pages).toEqual(
      onlyPage('rates:\n\n| day | price | note |\n| --- | --- | --- |\n| Mon | 1 |  |\n| Tue | 2 | a\\|b |'),
    );
  });

  it('makes a paragraph of each other object of a list', async () => {
    const item = (text: string) => ({ text, meta: { page: 1 } });
    const value = [item('One'), item('Two')];
    const records = 'text: One\nmeta.page: 1\n\ntext: Two\nmeta.page: 1';
    expect((await render(JSON.stringify(value))).pages).toEqual(onlyPage(records));
    expect((await render(JSON.stringify({ items: value }))).pages).toEqual(
      onlyPage('items[0].text: One\nitems[0].meta.page: 1\n\nitems[1].text: Two\nitems[1].meta.page: 1'),
    );
  });

  it('keeps numbers as they are written', async () => {
    const text = '{"id": 12345678901234567890, "price": 18.0, "code": "a 1.50", "n": -1.5e+3}';
    expect((await render(text)).pages).toEqual(
      onlyPage('id: 12345678901234567890\nprice: 18.0\ncode: a 1.50\nn: -1.5e+3'),
    );
  });

  it('reads what is nested very deep', async () => {
    const deep = `${'{"a":['.repeat(50_000)}"deep"${']}'.repeat(50_000)}`;
    expect((await render(deep)).pages[0]?.markdown).toMatch(/^a\[0\]\.a\[0\].{1,600}: deep$/);
  });

  it('leaves what is broken as it is', async () => {
    expect((await render('{"a": 1, "b')).pages).toEqual(onlyPage('{"a": 1, "b'));
  });

  it('refuses what is too large to be parsed as a whole', async () => {
    const source = { ...sourceFromBuffer(Buffer.from('[]')), size: 65 * 2 ** 20 };
    await expect(parseJson({ source })).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('JSON a line', () => {
  it('makes a table of records, and keeps lines that are no JSON', async () => {
    const text = '{"a":1,"b":"x"}\r\n{"a":2,"b":"y"}\n\n{"a":3,"b\n{"a":{"c":4}}\n';
    expect((await render(text, parseNdjson)).pages).toEqual(
      onlyPage('| a | b |\n| --- | --- |\n| 1 | x |\n| 2 | y |\n\n{"a":3,"b\n\na.c: 4'),
    );
  });

  it('refuses a line without an end', async () => {
    await expect(render('x'.repeat(17 * 2 ** 20), parseNdjson)).rejects.toMatchObject({ code: 'too_large' });
  });
});
