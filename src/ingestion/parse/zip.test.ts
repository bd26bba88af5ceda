import { describe, expect, it } from 'vitest';
import { fixture, parseBytes } from '../../../test/support/parse.js';
import { zipOf } from '../../../test/support/zip.js';

const FILES = ['headings.docx', 'stanley-cups.xlsx', 'bullets.pptx', 'table.odt'];
const COMMENT_SIZE = 2;

/** Ways in which a ZIP ends that office programs read without a word. */
const ends: Record<string, (bytes: Buffer) => Buffer> = {
  'a byte behind its end': (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
  'a megabyte of zeros behind its end': (bytes) => Buffer.concat([bytes, Buffer.alloc(2 ** 20)]),
  'a comment that is cut off': (bytes) =>
    Buffer.concat([bytes.subarray(0, -COMMENT_SIZE), Buffer.from([200, 0]), Buffer.from('a comm')]),
};

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

  it.each(['/word/document.xml', 'word\\document.xml', 'Word/Document.xml'])(
    'may be called %s',
    async (name) => {
      expect((await parseBytes(document(name))).pages).toEqual([{ number: 1, markdown: 'Fees' }]);
    },
  );
});
