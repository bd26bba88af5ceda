import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fixture, parseFixture } from '../test/support/parse.js';
import { fileToMarkdown } from './file-to-markdown.js';

const pathOf = (name: string) => fileURLToPath(new URL(`../test/fixtures/${name}`, import.meta.url));
const FILE = { markdown: '- a\n- b\n', fileName: 'list.md' };

it('reads a path and bytes alike, as parse does', async () => {
  const { pages, ...parsed } = await parseFixture('contract.pdf');
  const expected = {
    ...parsed,
    pages,
    warnings: [],
    markdown: pages.map(({ markdown }) => markdown).join('\n\n'),
  };
  expect(await fileToMarkdown(pathOf('contract.pdf'))).toEqual(expected);
  expect(await fileToMarkdown(await fixture('contract.pdf'))).toEqual(expected);
});

it('takes the name as a hint, and limits the text', async () => {
  const bytes = Buffer.from(FILE.markdown);
  expect(await fileToMarkdown(bytes, { fileName: FILE.fileName })).toEqual({
    markdown: '- a\n- b',
    pages: [{ number: 1, markdown: '- a\n- b' }],
    subType: 'md',
    mediaType: 'text/markdown',
    warnings: [],
  });
  await expect(fileToMarkdown(bytes, { maxCharacters: 3 })).rejects.toMatchObject({
    name: 'FileError',
    code: 'too_much_text',
  });
});

it('says what was lost', async () => {
  const mail = [
    'From: a@example.org',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'See the plan.',
    '--x',
    'Content-Type: application/zip',
    'Content-Disposition: attachment; filename=plan.zip',
    'Content-Transfer-Encoding: base64',
    '',
    'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
    '--x--',
    '',
  ].join('\r\n');
  const { warnings } = await fileToMarkdown(Buffer.from(mail), { fileName: 'a.eml' });
  expect(warnings).toEqual([{ code: 'unreadable_attachments', name: 'plan.zip' }]);
});

it('stops at its signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(fileToMarkdown(Buffer.from('a'), { signal })).rejects.toThrow('enough');
});
