import type { ParseInput, ParserResult } from '../../types.js';
import { readMsg } from './read-msg.js';
import { renderMail } from './render-mail.js';

/** Messages, appointments and contacts of Outlook. */
export async function parseMsg(input: ParseInput): Promise<ParserResult> {
  const mail = readMsg(await input.source.readAll());
  const title = mail.subject?.trim();
  return { pages: renderMail(mail, input), ...(title && { title }) };
}
