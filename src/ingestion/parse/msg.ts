import { readMsg } from './mail/read-msg.js';
import { renderMail } from './mail/render-mail.js';
import type { ParseInput, ParserResult } from './types.js';

/** Messages, appointments and contacts of Outlook. */
export async function parseMsg(input: ParseInput): Promise<ParserResult> {
  const mail = readMsg(await input.source.readAll());
  const title = mail.subject?.trim();
  return { pages: renderMail(mail, input), ...(title && { title }) };
}
