import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes, parseFixture, parseString } from '../test/support/parse.js';

describe('what is not read', () => {
  it.each([
    ['empty.xlsx', 'empty_text'],
    ['encrypted.xlsx', 'encrypted'],
  ])('refuses %s as %s', async (name, code) => {
    await expect(parseFixture(name)).rejects.toMatchObject({ code });
  });

  it('says what to do', async () => {
    const gif = Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex');
    await expect(parseBytes(gif, { fileName: 'a.txt' })).rejects.toThrow(
      'Files of this type (image/gif) cannot be read; convert it to PDF, Word, HTML, Markdown, CSV or plain text and upload that.',
    );
  });
});

it('keeps how far the first line is set in', async () => {
  const { pages } = await parseString('\n \n    indented\n  less\n \n', { fileName: 'a.txt' });
  expect(pages).toEqual(onlyPage('    indented\n  less'));
});
