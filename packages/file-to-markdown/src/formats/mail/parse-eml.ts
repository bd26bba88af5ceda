import type { Email } from 'postal-mime';
import { corruptFileError } from '../../errors.js';
import { sourceFromBuffer } from '../../source-bytes.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { parseHtml } from '../html/parse-html.js';
import { readEml } from './read-eml.js';
import { renderMail } from './render-mail.js';
import { splitMailbox } from './split-mailbox.js';

/** Mail: a message, a mailbox file with each message as a page, or a web page that was saved as mail (MHTML). */
export async function parseEml(input: ParseInput): Promise<ParserResult> {
  const messages = splitMailbox(input.source);
  const first = await messages.next();
  if (first.done) return { pages: [] };
  const { mail, email } = await read(first.value);
  if (isSavedPage(email)) return parseSavedPage(input, email);
  const title = mail.subject?.trim();
  return { pages: pages(), ...(title && { title }) };

  async function* pages(): AsyncGenerator<ParsedPage> {
    yield* renderMail(mail, input);
    let number = 1;
    for await (const bytes of messages) yield* renderMail((await read(bytes)).mail, input, ++number);
  }
}

async function read(bytes: Buffer) {
  try {
    return await readEml(bytes);
  } catch (error) {
    throw corruptFileError('message', error);
  }
}

/** Browsers say where they had the page from; people are not named. */
function isSavedPage(email: Email): boolean {
  const isRelated = email.headers.some(
    ({ key, value }) => key === 'content-type' && /^multipart\/related/i.test(value),
  );
  const isFromBrowser =
    !email.to?.length && (!email.from?.address?.includes('@') || /^saved by /i.test(email.from.name));
  return isRelated && isFromBrowser && Boolean(email.html);
}

async function parseSavedPage(input: ParseInput, { html = '', subject }: Email): Promise<ParserResult> {
  const source = sourceFromBuffer(Buffer.from(html));
  const parsed = await parseHtml({ ...input, source, mediaType: 'text/html; charset=utf-8' });
  return { ...parsed, ...(subject && { title: subject }) };
}
