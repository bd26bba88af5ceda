import { expect, it } from 'vitest';
import { zipOf } from '../test/support/zip.js';
import { fileToMarkdown } from './file-to-markdown.js';

const WORD = zipOf({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  'word/document.xml':
    '<w:document><w:body><w:p><w:r><w:t>Fees</w:t><w:commentReference w:id="0"/></w:r></w:p></w:body></w:document>',
  'word/comments.xml':
    '<w:comments><w:comment w:id="0" w:author="Ada"><w:p><w:r><w:t>Since when?</w:t></w:r></w:p></w:comment></w:comments>',
});
const MAIL = Buffer.from(
  `From: a@example.test\r\nSubject: Rules\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n` +
    `--x\r\nContent-Type: application/octet-stream; name=rules.docx\r\nContent-Disposition: attachment; filename=rules.docx\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${WORD.toString('base64')}\r\n--x--\r\n`,
);
const NOTE = 'Fees\n\n[Comment by Ada: Since when?]';

it.each([
  ['a document', WORD],
  ['a document within a mail', MAIL],
])('keeps comments on %s, unless told not to', async (_, bytes) => {
  expect((await fileToMarkdown(bytes)).markdown).toContain(NOTE);
  const { markdown } = await fileToMarkdown(bytes, { comments: false });
  expect(markdown).toMatch(/Fees$/);
});
