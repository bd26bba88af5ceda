import { CFB } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { utf32 } from '../../test/support/utf-32.js';
import { sourceFromBuffer } from '../source-bytes.js';
import { detectType } from './detect-type.js';

const mail = 'From: a@example.org\nTo: b@example.org\nSubject: Hello\n\nText.';
const rows = 'name,town,age\nAda,"London, UK",36\nLi,Beijing,41\n';

async function typeOf(content: string | Buffer, fileName?: string, mediaType?: string) {
  const hints = {
    source: sourceFromBuffer(Buffer.from(content)),
    ...(fileName && { fileName }),
    ...(mediaType && { mediaType }),
  };
  return (await detectType(hints)).subType;
}

it.each([
  ['content over name and media type', '%PDF-1.7 …', 'a.txt', 'text/plain', 'pdf'],
  ['a text about PDF', 'Files begin with %PDF-1.7.', 'a.txt', undefined, 'txt'],
  ['a page', '<!DOCTYPE html><p>x', 'a.txt', undefined, 'html'],
  ['a page as XML', '<?xml version="1.0"?>\n<html xmlns="…">', undefined, undefined, 'html'],
  ['XML', '<?xml version="1.0"?><a/>', undefined, 'text/html', 'xml'],
  [
    'a workbook as XML',
    '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    'a.xml',
    undefined,
    'xls',
  ],
  ['JSON', '{"a": 1}', 'a.md', undefined, 'json'],
  ['brackets that are no JSON', '[draft] Some words', undefined, undefined, 'txt'],
  ['large JSON', `[${'{"a": "b", "c": [1.5e3, true, null]},'.repeat(40_000)}{}]`, 'a.txt', undefined, 'json'],
  ['a large text in brackets', `[draft] ${'words and words '.repeat(80_000)}`, undefined, undefined, 'txt'],
  ['lines of JSON', '{"a": 1}\n{"a": 2}', 'a.txt', undefined, 'ndjson'],
  ['long lines of JSON', `{"a": "${'x'.repeat(9000)}"}\n`.repeat(200), 'a.json', undefined, 'ndjson'],
  ['mail', mail, 'a.txt', undefined, 'eml'],
  ['a mailbox', `From a@example.org Mon Jan  1 10:00:00 2024\n${mail}`, undefined, undefined, 'eml'],
  ['a mail with a single header', 'Subject: Hello\n\nText.', 'a.eml', undefined, 'eml'],
  ['a text under the name of a mail', 'Some words.\n\nAnd more.', 'a.eml', 'message/rfc822', 'txt'],
  ['rich text', '{\\rtf1 x}', 'a.doc', undefined, 'rtf'],
  ['the media type over the name', 'a,b', 'a.md', 'text/csv; charset=utf-8', 'csv'],
  ['the name where the media type says nothing', '# a', 'A.MD', 'application/octet-stream', 'md'],
  ['the name over plain text', 'a\tb', 'a.tsv', 'text/plain', 'tsv'],
  ['a feed by its media type', '<rss/>', undefined, 'application/rss+xml', 'xml'],
  ['words that are also magic numbers', 'BMW and II* build MZ', undefined, undefined, 'txt'],
])('%s', async (_, text, fileName, mediaType, subType) => {
  expect(await typeOf(text, fileName, mediaType)).toBe(subType);
});

describe('without a hint, or with that of plain text', () => {
  it.each([
    ['rows with commas', rows, 'csv'],
    ['rows with tabs', rows.replace('"London, UK"', 'London').replaceAll(',', '\t'), 'tsv'],
    ['rows with semicolons', 'name;age\nAda;36\nLi;41', 'csv'],
    ['rows in UTF-32', utf32(rows), 'csv'],
    ['rows in UTF-16', Buffer.from(`\ufeff${rows}`, 'utf16le'), 'csv'],
    ['part of a page', '<div class="a">\n<p>Text</p></div>', 'html'],
    ['XML without a declaration', '<feed xmlns="x">\n<entry/>\n</feed>\n', 'xml'],
    ['YAML', '---\nname: x\nitems:\n  - a\n  - b\n', 'yaml'],
    ['Markdown with fields above', '---\ntitle: x\ndate: y\n---\n# Words\n', 'txt'],
    ['prose with commas', 'One, two, three.\nFour, five, six.\nSeven, eight, nine.\n', 'txt'],
    [
      'a log',
      '2024-01-01 10:00:00,123 start\n2024-01-01 10:00:01,001 go\n2024-01-01 10:00:02,5 end\n',
      'txt',
    ],
    ['code', 'int a;\nint b;\nint c;\n', 'txt'],
    ['a table in Markdown', '| a | b |\n| - | - |\n| 1 | 2 |\n', 'txt'],
    ['an address in angle brackets', '<https://example.org> and words', 'txt'],
    ['Chinese prose', '第一行，有逗号。\n第二行，也有逗号。\n第三行，还有。\n', 'txt'],
  ])('%s', async (_, content, subType) => {
    expect(await typeOf(content)).toBe(subType);
    expect(await typeOf(content, 'a.txt', 'text/plain')).toBe(subType);
  });
});

/** An OLE container with some streams. */
function container(...paths: string[]): Buffer {
  const file = CFB.utils.cfb_new();
  for (const path of paths) CFB.utils.cfb_add(file, `/${path}`, Buffer.alloc(600, 1));
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Buffer);
}

describe('an OLE container', () => {
  const objects = Array.from({ length: 40 }, (_, index) => `MBD${index}/WordDocument`);
  it.each([
    ['a workbook with documents in it', [...objects, 'Workbook', 'z/__properties_version1.0'], 'xls'],
    ['a document with a workbook in it', ['a/Workbook', 'b/Book', 'WordDocument'], 'doc'],
    ['a workbook of Excel 95', ['Book'], 'xls'],
    ['names in capitals', ['WORKBOOK'], 'xls'],
    ['names in lower case', ['worddocument'], 'doc'],
    ['a message', ['__properties_version1.0', '__attach/Workbook'], 'msg'],
    ['nothing but objects', ['a/Workbook'], undefined],
  ])('%s', async (_, paths, subType) => expect(await typeOf(container(...paths))).toBe(subType));

  it('of slides tells to save them anew', async () => {
    await expect(typeOf(container('PowerPoint Document', 'Workbook.bak'))).rejects.toMatchObject({
      code: 'unsupported_type',
      message: 'The slides were written by PowerPoint 2003 or older; save them as pptx and upload that.',
    });
  });

  it('behind a password is known as such', async () => {
    const source = sourceFromBuffer(container('EncryptedPackage', 'EncryptionInfo'));
    expect(await detectType({ source })).toEqual({ mediaType: 'application/encrypted' });
  });

  it('may be cut off or damaged anywhere', async () => {
    const bytes = container('Workbook', ...objects);
    for (let length = 8; length < bytes.length; length += 200) await typeOf(bytes.subarray(0, length));
    for (let at = 30; at < 512; at += 2) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt16LE(0xfff0, at);
      await typeOf(damaged);
      damaged.writeUInt16LE(1, at);
      await typeOf(damaged);
    }
  });
});

it.each(['0900040002001000', '090206000000100000000000', '0904060000001000d3105c00'])(
  'knows a workbook from before OLE: %s',
  async (start) => expect(await typeOf(Buffer.from(start, 'hex'))).toBe('xls'),
);

it('names the media type of what it does not know', async () => {
  const gzip = Buffer.from('1f8b0800000000000003010000ffff0000000000000000', 'hex');
  expect(await detectType({ source: sourceFromBuffer(gzip) })).toEqual({ mediaType: 'application/gzip' });
});
