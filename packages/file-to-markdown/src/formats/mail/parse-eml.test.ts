import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/parse.js';
import { ParseError } from '../../errors.js';
import { sourceFromBuffer } from '../../source-bytes.js';
import type { EmbeddedFileHints, Warn } from '../../types.js';
import { parseEml } from './parse-eml.js';
import { parseMsg } from './parse-msg.js';

/** Reads a part as its text, unless its name says otherwise. */
async function parsePart(bytes: Uint8Array, { fileName = '' }: EmbeddedFileHints) {
  if (fileName.endsWith('.png')) throw new ParseError('unsupported_type', 'No.');
  return fileName === 'deep.eml' ? undefined : Buffer.from(bytes).toString();
}

async function render(content: string | Buffer, parser = parseEml, warn: Warn = () => {}) {
  const source = sourceFromBuffer(Buffer.from(content));
  const { pages, title } = await parser({ source, parseEmbeddedFile: parsePart, warn });
  const all = [];
  for await (const page of pages) all.push(page);
  return { title, pages: all };
}

const lines = (...all: string[]) => all.join('\r\n');
const mixed = (...parts: string[]) =>
  lines(
    'From: Ann <ann@example.org>',
    'Subject: Files',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...parts.flatMap((part) => ['--x', part]),
    '--x--',
  );

describe('mail', () => {
  it('reads a subject of encoded words whose lines are not indented', async () => {
    const words = ['一号泊位', '二号泊位'].map(
      (word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`,
    );
    const { title } = await render(
      lines(`Subject: ${words.join('\r\n')}`, 'To: bo@example.test', '', 'Text.'),
    );
    expect(title).toBe('一号泊位二号泊位');
  });

  it('has a heading, who and when, the body, and each attachment', async () => {
    expect(await render(await fixture('attachment.eml'))).toEqual({
      title: 'Fake email with attachment',
      pages: [
        {
          number: 1,
          markdown:
            '# Fake email with attachment\n\nFrom: Mallori Harrell <mallori@unstructured.io>\n' +
            'To: Mallori Harrell <mallori@unstructured.io>\nDate: 2022-12-23T18:08:48.000Z\n\n' +
            "Hello!\n\nHere's the attachments!\n\nIt includes:\n\n   - Lots of whitespace\n" +
            '   - Little to no content\n   - and is a quick read\n\nBest,\n\nMallori',
        },
        {
          number: 1,
          markdown: '## Attachment: fake-attachment.txt\n\nHey this is a fake attachment!',
        },
      ],
    });
  });

  it('notes attachments that are not read, puts the headings of others below, and leaves images of the body', async () => {
    const lost: unknown[] = [];
    const { pages } = await render(
      mixed(
        lines('Content-Type: text/plain', '', 'Body'),
        lines('Content-Type: image/png; name=a.png', 'Content-Disposition: attachment', '', 'x'),
        lines(
          'Content-Type: text/markdown; name=a.md',
          'Content-Disposition: attachment',
          '',
          '# Part',
          '```',
          '# code',
        ),
        lines(
          'Content-Type: message/rfc822; name=deep.eml',
          'Content-Disposition: attachment',
          '',
          'From: a@b.c',
          '',
          'x',
        ),
        lines('Content-Type: image/gif', 'Content-Disposition: inline', 'Content-ID: <a>', '', 'x'),
      ),
      parseEml,
      (code, { name }) => lost.push([code, name]),
    );
    expect(lost).toEqual([
      ['unreadable_attachments', 'a.png'],
      ['unreadable_attachments', 'deep.eml'],
    ]);
    expect(pages.map(({ markdown }) => markdown.trim().replaceAll('\r', ''))).toEqual([
      '# Files\n\nFrom: Ann <ann@example.org>\n\nBody',
      '## Attachment: a.png\n\n(Not read: files of its type are not read.)',
      '## Attachment: a.md\n\n### Part\n```\n# code',
      '## Attachment: deep.eml\n\n(Not read: it is nested too deep.)',
    ]);
  });

  it('takes the HTML where the plain text is missing or says less', async () => {
    const html =
      '<html><head><title>T</title><style>p {}</style></head><body><p>One <b>two</b></p></body></html>';
    const only = await render(lines('From: a@b.c', 'Subject: S', 'Content-Type: text/html', '', html));
    expect(only.pages[0]?.markdown).toBe('# S\n\nFrom: a@b.c\n\nOne **two**');

    const table = '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const { pages } = await render(
      mixed(
        lines('Content-Type: multipart/alternative; boundary=y', '')
          .concat(lines('', '--y', 'Content-Type: text/plain', '', 'A B 1 2'))
          .concat(lines('', '--y', 'Content-Type: text/html', '', table, '--y--')),
      ),
    );
    expect(pages[0]?.markdown).toContain('| A | B |\n| --- | --- |\n| 1 | 2 |');
  });

  it.each([
    ['no declared encoding', '', Buffer.from('bbe1d2e9bcc7c2bc', 'hex'), '会议记录'],
    ['an encoding of its own', 'gb2312', Buffer.from('bbe1d2e9bcc7c2bc', 'hex'), '会议记录'],
    ['windows-1252', 'windows-1252', Buffer.from('3520802093617094', 'hex'), '5 € “ap”'],
    ['UTF-8 that is called another', 'iso-8859-1', Buffer.from('Größe – 5 €'), 'Größe – 5 €'],
  ])('reads headers and text of %s', async (_, charset, text, expected) => {
    const type = charset && `Content-Type: text/plain; charset=${charset}\r\n`;
    const message = Buffer.concat([
      Buffer.from('From: a@b.c\r\nSubject: '),
      text,
      Buffer.from(`\r\n${type}\r\n`),
      text,
    ]);
    expect((await render(message)).pages[0]?.markdown).toBe(`# ${expected}\n\nFrom: a@b.c\n\n${expected}`);
  });

  it('reads a message in UTF-16', async () => {
    const message = lines(
      'From: a@b.c',
      'Subject: S',
      'Content-Type: text/plain; charset="utf-16"',
      '',
      'Größe',
    );
    const { pages } = await render(Buffer.from(`\ufeff${message}`, 'utf16le'));
    expect(pages[0]?.markdown).toBe('# S\n\nFrom: a@b.c\n\nGröße');
  });

  it('makes each message of a mailbox a page', async () => {
    const message = (subject: string) =>
      `From ann@example.org Mon Jun  1 04:28:28 2009\nFrom: a@b.c\nSubject: ${subject}\n\n>From here on\n\nFrom then on\n\n`;
    const { title, pages } = await render(message('One') + message('Two'));
    const body = 'From: a@b.c\n\nFrom here on\n\nFrom then on';
    expect({ title, pages }).toEqual({
      title: 'One',
      pages: [
        { number: 1, markdown: `# One\n\n${body}` },
        { number: 2, markdown: `# Two\n\n${body}` },
      ],
    });
  });

  it('reads pages that a browser saved as mail', async () => {
    const page = lines(
      'From: <Saved by Blink>',
      'Snapshot-Content-Location: https://example.org/',
      'Subject: =?utf-8?Q?Pr=C3=A9cis?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; type="text/html"; boundary="x"',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<html><body><nav>Menu</nav><h1>Title</h1><p>Caf=C3=A9 at the sea.</p></body></html>',
      '--x--',
    );
    const { title, pages } = await render(page);
    expect({ title, pages }).toEqual({
      title: 'Précis',
      pages: [{ number: 1, markdown: '# Title\n\nCafé at the sea.' }],
    });
  });

  it('refuses what is encrypted', async () => {
    const message = lines(
      'From: a@b.c',
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      '',
      'MIAGCSqGSIb3DQEHA6CA',
    );
    await expect(render(message)).rejects.toMatchObject({ code: 'encrypted' });
  });
});

describe('messages of Outlook', () => {
  it('are read as mail', async () => {
    const { title, pages } = await render(await fixture('attachment.msg'), parseMsg);
    expect(title).toBe('Fake email with attachment');
    expect(pages[0]?.markdown).toMatch(
      /^# Fake email with attachment\n\nFrom: Mallori Harrell <mallori@unstructured.io>\nTo: .+\nDate: 2022-12-23T18:08:48.000Z\n\nHello!\n/,
    );
    expect(pages[1]?.markdown).toBe('## Attachment: fake-attachment.txt\n\nHey this is a fake attachment!');
  });

  it('may have their texts in a code page', async () => {
    const { title, pages } = await render(await fixture('code-page-932.msg'), parseMsg);
    expect(title).toBe('日本語 Non Unicode タイトル');
    expect(pages[0]?.markdown).toContain('日本語 Non Unicode 本文');
  });

  it('may be damaged', async () => {
    const damaged = (await fixture('attachment.msg')).subarray(0, 600);
    await expect(render(damaged, parseMsg)).rejects.toMatchObject({ code: 'corrupt' });
  });
});
