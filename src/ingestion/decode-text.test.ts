import { expect, it } from 'vitest';
import { decodeText } from './decode-text.js';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

it.each([
  ['UTF-8', Buffer.from('naïve 中文'), 'utf-8', 'naïve 中文'],
  ['UTF-8 with a mark', hex('efbbbf 6869'), 'utf-8', 'hi'],
  ['UTF-16 with a mark', hex('fffe 6800 6900'), 'utf-16le', 'hi'],
  ['UTF-16, big end first, without a mark', hex('0068 0069 0021 0021'), 'utf-16be', 'hi!!'],
  ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le'), 'utf-16le', 'plain words'],
  [
    'GB18030',
    hex('d6d0 cec4 b5c4 cec4 bcfe a3ac c7d0 b3c9 d0a1 b6ce a1a3'),
    'gb18030',
    '中文的文件，切成小段。',
  ],
])('%s', (_, bytes, encoding, text) => expect(decodeText(bytes)).toEqual({ text, encoding }));

it('believes a declared encoding only where the bytes leave it open', () => {
  expect(decodeText(hex('e4f6fc'), 'ISO-8859-1')).toEqual({ text: 'äöü', encoding: 'windows-1252' });
  expect(decodeText(hex('c4e3bac3'), 'gb2312')).toEqual({ text: '你好', encoding: 'gb18030' });
  expect(decodeText(Buffer.from('ü'), 'gbk')).toEqual({ text: 'ü', encoding: 'utf-8' });
  expect(decodeText(hex('e4'), 'no-such-encoding').text).toHaveLength(1);
});

it('has the euro sign and quotes of windows-1252', () => {
  expect(decodeText(hex('80 93 94'), 'windows-1252').text).toBe('€“”');
});
