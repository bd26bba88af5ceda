import { describe, expect, it } from 'vitest';
import { fixture, parseBytes } from '../../../test/support/parse.js';
import { zipOf } from '../../../test/support/zip.js';
import { openZipParts } from './zip-parts.js';

const FILES = ['headings.docx', 'stanley-cups.xlsx', 'bullets.pptx', 'table.odt'];
const COMMENT_SIZE = 2;

/** Ways in which a ZIP ends that office programs read without a word. */
const ends: Record<string, (bytes: Buffer) => Buffer> = {
  'a byte behind its end': (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
  'a megabyte of zeros behind its end': (bytes) => Buffer.concat([bytes, Buffer.alloc(2 ** 20)]),
  'a line break before it': (bytes) => Buffer.concat([Buffer.from('\r\n'), bytes]),
  'a byte order mark before it': (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
  'bytes before it that offsets count': (bytes) => shifted(Buffer.concat([Buffer.from('\n\n\n'), bytes]), 3),
  'bytes before and behind it': (bytes) => Buffer.concat([Buffer.from('\n'), bytes, Buffer.from('\n')]),
  'a comment that is cut off': (bytes) =>
    Buffer.concat([bytes.subarray(0, -COMMENT_SIZE), Buffer.from([200, 0]), Buffer.from('a comm')]),
};

/** With offsets that are larger. */
function shifted(bytes: Buffer, by: number): Buffer {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  const directory = bytes.readUInt32LE(end + 16) + by;
  bytes.writeUInt32LE(directory, end + 16);
  for (let at = directory; at < end; ) {
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 42) + by, at + 42);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return bytes;
}

describe.each(FILES)('%s', (name) => {
  it.each(Object.entries(ends))('is read with %s', async (_, change) => {
    const bytes = await fixture(name);
    expect(await parseBytes(change(bytes))).toEqual(await parseBytes(bytes));
  });
});

describe('parts of a ZIP', () => {
  const document = (name: string) =>
    zipOf({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      [name]:
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Fees</w:t></w:r></w:p></w:body></w:document>',
    });

  it.each(['/word/document.xml', './word/document.xml', 'word\\document.xml', 'Word/Document.xml'])(
    'may be called %s',
    async (name) => {
      expect((await parseBytes(document(name))).pages).toEqual([{ number: 1, markdown: 'Fees' }]);
    },
  );

  it.each([
    ['in small letters', (parts: Record<string, Buffer>) => renamed(parts, '[content_types].xml')],
    ['missing', (parts: Record<string, Buffer>) => renamed(parts, 'other.xml')],
  ])('may have their list %s', async (_, change) => {
    for (const name of ['headings.docx', 'stanley-cups.xlsx', 'bullets.pptx']) {
      const bytes = await fixture(name);
      const parts = change(await partsOf(bytes));
      expect(await parseBytes(zipOf(parts)), name).toEqual(await parseBytes(bytes));
    }
  });
});

function renamed(parts: Record<string, Buffer>, name: string): Record<string, Buffer> {
  const { '[Content_Types].xml': types = Buffer.alloc(0), ...others } = parts;
  return { [name]: types, ...others };
}

async function partsOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const parts = await openZipParts(bytes);
  const contents = await Promise.all(parts.names.map(async (name) => [name, await parts.bytes(name)]));
  return Object.fromEntries(contents);
}
