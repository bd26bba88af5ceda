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

  it('begins a page at each form feed', async () => {
    const { pages } = await parseString('\fone\ftwo\f\n\ffour\f', { fileName: 'a.txt' });
    expect(pages).toEqual([
      { number: 1, markdown: 'one' },
      { number: 2, markdown: 'two' },
      { number: 4, markdown: 'four' },
    ]);
  });

  it.each(['', ' \n\t ', '---\n***\n'])('refuses %j as empty', async (text) => {
    await expect(parseString(text, { fileName: 'a.md' })).rejects.toMatchObject({ code: 'empty_text' });
  });
});

describe('Markdown', () => {
  const parseMarkdown = (text: string) => parseString(text, { fileName: 'a.md' });

  it('has its first heading as title', async () => {
    expect(await parseMarkdown('# Title\n\nText.')).toEqual({
      subType: 'md',
      mediaType: 'text/markdown',
      title: 'Title',
      pages: onlyPage('# Title\n\nText.'),
    });
    expect((await parseMarkdown('Title\n=====\n\nText.')).title).toBe('Title');
    expect((await parseMarkdown('```sh\n# comment\n```\n\n# Title')).title).toBe('Title');
    expect((await parseMarkdown('## Part\n\nText.')).title).toBeUndefined();
  });

  it('makes front matter a paragraph, and its title the title', async () => {
    const { title, pages } = await parseMarkdown(
      '---\ntitle: "Ferries: a guide"\ndate: 2024-05-01\ntags:\n  - ships\n---\n\nText.\n\n---\n\nMore.',
    );
    expect({ title, pages }).toEqual({
      title: 'Ferries: a guide',
      pages: onlyPage('# Ferries: a guide\n\ndate: 2024-05-01\ntags:\n  - ships\n\nText.\n\n---\n\nMore.'),
    });
    const toml = await parseMarkdown('+++\ntitle = "Ships"\ndraft = true\n+++\n# All ships\n');
    expect(toml).toMatchObject({ title: 'Ships', pages: onlyPage('draft = true\n\n# All ships') });
  });

  it('does not take a rule for front matter', async () => {
    const text = '---\n\nAll about ships\n\n---\n\nText.';
    expect((await parseMarkdown(text)).pages).toEqual(onlyPage(text));
  });
});
