import { CFB } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { fixture, onlyPage } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { word97 } from '../../../test/support/word97.js';
import { parseDoc } from './parse-doc.js';

/** The fixture with its document's stream changed. */
async function changed(change: (stream: Buffer) => void): Promise<Buffer> {
  const bytes = await fixture('lorem.doc');
  const entry = CFB.find(CFB.read(bytes, { type: 'buffer' }), 'WordDocument');
  const stream = Buffer.from(entry!.content);
  const start = bytes.indexOf(stream.subarray(0, 512));
  change(bytes.subarray(start));
  return bytes;
}

describe('Word 97', () => {
  it('reads paragraphs', async () => {
    expect(await parseWith(parseDoc, await fixture('lorem.doc'))).toEqual({
      pages: onlyPage('Lorem ipsum dolor sit amet.'),
    });
  });

  it('keeps headings by their built-in styles, and by what these are the parents of', async () => {
    const styles = [
      { builtIn: 0 },
      { builtIn: 1 },
      { builtIn: 2 },
      { builtIn: 0xffe, parent: 2 },
      { builtIn: 34 },
    ];
    const bytes = word97(
      [
        { text: 'Harbour rules', style: 1 },
        { text: 'Fees', style: 3 },
        { text: 'Figure 1', style: 4 },
        { text: 'Text\u000bgoes\u001eon.' },
      ],
      styles,
    );
    expect(await parseWith(parseDoc, bytes)).toEqual({
      title: 'Harbour rules',
      pages: onlyPage('# Harbour rules\n\n## Fees\n\nFigure 1\n\nText\ngoes-on.'),
    });
  });

  it('makes tables of rows, and blocks of a single column', async () => {
    const row = (...cells: string[]) => [
      ...cells.map((text) => ({ text, inTable: 'cell' as const })),
      { text: '', inTable: 'row' as const },
    ];
    const rows = [...row('Length', 'Fee'), ...row('10 m', ''), { text: 'After.' }, ...row('Alone')];
    expect((await parseWith(parseDoc, word97([{ text: 'Before:\tthis' }, ...rows]))).pages).toEqual(
      onlyPage('Before: this\n\n| Length | Fee |\n| --- | --- |\n| 10 m |  |\n\nAfter.\n\nAlone'),
    );
  });

  it('leaves out deleted text and the instructions of fields', async () => {
    const field = (instruction: string, result: string) => `\u0013${instruction}\u0014${result}\u0015`;
    const bytes = word97([
      { text: `See ${field(` HYPERLINK "${field('IF', 'x')}" `, 'there')}.` },
      { text: 'Gone.', isDeleted: true },
      { text: 'gone', inTable: 'cell', isDeleted: true },
      { text: 'there', inTable: 'cell' },
      { text: '', inTable: 'row' },
      { text: '\u0013EQ \\* jc2 \\o\\ad(\\s\\up 9(とうきょう),東京)\u0015へ' },
    ]);
    expect((await parseWith(parseDoc, bytes)).pages).toEqual(
      onlyPage('See there.\n\n|  | there |\n| --- | --- |\n\n東京へ'),
    );
  });

  it.each([
    ['pieces that lie outside of it', 0x1a2],
    ['pages of properties outside of it', 0x102],
    ['styles outside of it', 0xa2],
  ])('refuses one with %s', async (_, at) => {
    const bytes = await changed((stream) => stream.writeUInt32LE(0x7fff_ffff, at));
    await expect(parseWith(parseDoc, bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('refuses a password', async () => {
    const bytes = await changed((stream) => stream.writeUInt16LE(stream.readUInt16LE(10) | 0x100, 10));
    await expect(parseWith(parseDoc, bytes)).rejects.toMatchObject({ code: 'encrypted' });
  });

  it('refuses older ones', async () => {
    const bytes = await changed((stream) => stream.writeUInt16LE(0xa5dc, 0));
    await expect(parseWith(parseDoc, bytes)).rejects.toMatchObject({ code: 'unsupported_type' });
  });

  it.each([600, 5000, 10_000])('refuses one that is cut off after %i bytes', async (length) => {
    const bytes = (await fixture('lorem.doc')).subarray(0, length);
    await expect(parseWith(parseDoc, bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('refuses another kind of file', async () => {
    const bytes = await fixture('encrypted.xlsx');
    await expect(parseWith(parseDoc, bytes)).rejects.toMatchObject({ code: 'corrupt' });
  });
});
