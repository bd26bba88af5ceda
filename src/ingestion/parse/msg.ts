import { readMsg } from './mail/read-msg.js';
import { renderMail } from './mail/render-mail.js';
import type { Parsed, ParseInput } from './types.js';

/** Messages, appointments and contacts of Outlook. */
export async function parseMsg(input: ParseInput): Promise<Parsed> {
  const mail = readMsg(await input.source.whole());
  const title = mail.subject?.trim();
  return { pages: renderMail(mail, input), ...(title && { title }) };
}
