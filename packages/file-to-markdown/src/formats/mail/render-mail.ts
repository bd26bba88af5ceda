import { ParseError } from '../../errors.js';
import type { ParsedPage, ParseInput } from '../../types.js';
import { renderAttachments } from './attachments.js';
import { renderBody } from './body.js';
import type { Attachment, Mail } from './mail.js';

const MAX_PEOPLE = 100;

/** A message as stretches of one page: its subject as heading, who and when, the body, and what is attached. */
export async function* renderMail(mail: Mail, input: ParseInput, number = 1): AsyncGenerator<ParsedPage> {
  const head = [`# ${oneLine(mail.subject) || 'No subject'}`, headerLines(mail)];
  if (isEncrypted(mail)) {
    const message = 'The message is encrypted; open it, save it without encryption and upload that.';
    throw new ParseError('encrypted', message);
  }
  yield { number, markdown: [...head, renderBody(mail)].filter(Boolean).join('\n\n') };
  for await (const markdown of renderAttachments(mail.attachments, input, number)) yield { number, markdown };
}

/** By S/MIME or PGP, and so without a body. */
function isEncrypted({ text, html, attachments }: Mail): boolean {
  const isCipher = ({ mediaType = '' }: Attachment) =>
    /^application\/(?:x-)?(?:pkcs7-mime|pgp-encrypted)/.test(mediaType);
  return !text?.trim() && !html?.trim() && attachments.some(isCipher);
}

function headerLines({ from, to, cc, bcc, date, details = [] }: Mail): string {
  const lines: [string, string | undefined][] = [
    ['From', people(from)],
    ['To', people(to)],
    ['Cc', people(cc)],
    ['Bcc', people(bcc)],
    ['Date', date],
    ...details,
  ];
  return lines
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${oneLine(value)}`)
    .join('\n');
}

function people(names: string[]): string {
  const shown = names.slice(0, MAX_PEOPLE).join(', ');
  return names.length > MAX_PEOPLE ? `${shown} and ${names.length - MAX_PEOPLE} more` : shown;
}

function oneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}
