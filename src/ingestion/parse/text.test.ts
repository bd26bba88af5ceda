import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes, parseFixture, parseString } from '../../../test/support/parse.js';

describe('text', () => {
  it('decodes GB18030', async () => {
    const { subType, pages } = await parseFixture('gb18030.txt');
    expect({ subType, pages }).toEqual({
      subType: 'txt',
      pages: onlyPage('知识库把文件变成文字，再切成小段，供人查找。每一段都记着它所在的页码。价格是五十元。'),
    });
  });

  it('decodes UTF-16 without help', async () => {
    expect((await parseFixture('utf-16-be.txt')).pages[0]?.markdown).toContain('Doylestown, PA');
  });

  it('leaves out what cannot be stored', async () => {
    const { pages } = await parseBytes(
      Buffer.from(
        '﻿one\r\ntwo\u0000\u001b[0m\u0007 three, and more text than control characters, as in a log of a terminal',
      ),
      { fileName: 'a.txt' },
    );
    expect(pages).toEqual(
      onlyPage('one\ntwo[0m three, and more text than control characters, as in a log of a terminal'),
    );
  });

  it('reads Markdown with its title', async () => {
    expect(await parseString('# Title\n\nText.', { fileName: 'a.md' })).toEqual({
      subType: 'md',
      mediaType: 'text/markdown',
      title: 'Title',
      pages: onlyPage('# Title\n\nText.'),
    });
  });

  it.each(['', ' \n\t ', '---\n***\n'])('refuses %j as empty', async (text) => {
    await expect(parseString(text, { fileName: 'a.md' })).rejects.toMatchObject({ code: 'empty_text' });
  });
});
