import { CFB } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { fixture, onlyPage } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { bodyToMarkdown } from './doc/body-to-markdown.js';
import { parseDoc } from './doc.js';

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

  it('makes tables of rows', () => {
    expect(bodyToMarkdown('Before:\tthis\nLength\tFee\t\n10 m\t\t\n\nAfter.\n')).toBe(
      'Before: this\n\n| Length | Fee |\n| --- | --- |\n| 10 m |  |\n\nAfter.',
    );
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
