import { describe, expect, it } from 'vitest';
import { utf32 } from '../../test/support/utf-32.js';
import { sourceFromBuffer } from '../source-bytes.js';
import { decodeStream, decodeText } from './decode-text.js';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('naïve 中文'), 'utf-8', 'naïve 中文'],
    ['UTF-8 with a mark', hex('efbbbf 6869'), 'utf-8', 'hi'],
    ['UTF-8 with a damaged byte', hex(`${'c3bc'.repeat(20)} ff c3bc`), 'utf-8', `${'ü'.repeat(20)}\ufffdü`],
    ['UTF-8 cut within a character', hex(`${'e4b8ad'.repeat(3)} e4b8`), 'utf-8', '中中中\ufffd'],
    ['UTF-8 of characters lost before', Buffer.from('f\ufffdr'), 'utf-8', 'f\ufffdr'],
    ['UTF-16 with a mark', hex('fffe 6800 6900'), 'utf-16le', 'hi'],
    ['UTF-16, big end first, without a mark', hex('0068 0069 0021 0021'), 'utf-16be', 'hi!!'],
    ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le'), 'utf-16le', 'plain words'],
    ['Chinese in UTF-16', Buffer.from('会议记录 3\n', 'utf16le'), 'utf-16le', '会议记录 3\n'],
    ['UTF-32 with a mark', hex('fffe0000 68000000 00f60100'), 'utf-32le', 'h😀'],
    ['UTF-32, big end first, with a mark', hex('0000feff 00000068 00110000'), 'utf-32be', 'h\ufffd'],
    ['UTF-32 without a mark', utf32('Größe 中文\n'), 'utf-32le', 'Größe 中文\n'],
    ['UTF-32, big end first, without a mark', utf32('Größe').swap32(), 'utf-32be', 'Größe'],
    ['UTF-32 cut within a character', utf32('plain').subarray(0, 18), 'utf-32le', 'plai\ufffd'],
    ['ISO-2022-JP', hex('1b2442 467c 4b5c 386c 1b2842 2e'), 'iso-2022-jp', '日本語.'],
  ])('%s', (_, bytes, encoding, text) => expect(decodeText(bytes)).toEqual({ text, encoding }));

  it('believes a declared encoding only where the bytes leave it open', () => {
    expect(decodeText(hex('e4f6fc'), 'ISO-8859-1')).toEqual({ text: 'äöü', encoding: 'windows-1252' });
    expect(decodeText(hex('c4e3bac3'), 'gb2312')).toEqual({ text: '你好', encoding: 'gb18030' });
    expect(decodeText(Buffer.from('ü'), 'gbk')).toEqual({ text: 'ü', encoding: 'utf-8' });
    expect(decodeText(hex('c4e3bac3'), 'utf-8')).toEqual({ text: '你好', encoding: 'gb18030' });
    expect(decodeText(hex('e4'), 'no-such-encoding').text).toHaveLength(1);
  });

  it('has the euro sign and quotes of windows-1252', () => {
    expect(decodeText(hex('80 93 94'), 'windows-1252').text).toBe('€“”');
  });
});

describe('decodeStream', () => {
  const inParts = (bytes: Uint8Array, size: number) => ({
    ...sourceFromBuffer(bytes),
    async *stream() {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    },
  });
  const collect = async (...input: Parameters<typeof decodeStream>) => {
    let text = '';
    for await (const part of decodeStream(...input)) text += part;
    return text;
  };

  it.each([
    ['UTF-8', Buffer.from('naïve 中文 😀')],
    ['UTF-8 with a mark', hex('efbbbf 6869')],
    ['UTF-16', Buffer.from('\ufeffplain words 中文', 'utf16le')],
    ['UTF-32', utf32('\ufeffplain words 中文 😀')],
    ['GB18030', hex('d6d0 cec4 b5c4 cec4 bcfe a3ac c7d0 b3c9 d0a1 b6ce a1a3')],
    ['windows-1252', hex('5072656973 20 3135 80 2c 20 fc626572')],
  ])('decodes %s in parts as decodeText does', async (_, bytes) => {
    expect(await collect(inParts(bytes, 1))).toBe(decodeText(bytes).text);
  });

  it('looks for what tells the encoding in all of the source', async () => {
    const ascii = 'All of this line is plain.\n'.repeat(10_000);
    const bytes = Buffer.concat([Buffer.from(ascii), hex('bbe1d2e9bcc7c2bc')]);
    expect(await collect(inParts(bytes, 50_000))).toBe(`${ascii}会议记录`);
  });

  it('takes the declared encoding', async () => {
    expect(await collect(inParts(hex('c4e3'), 1), 'gbk')).toBe('你');
  });
});
