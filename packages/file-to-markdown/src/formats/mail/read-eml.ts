import PostalMime, { type Address, type Email } from 'postal-mime';
import { declareCharset } from './declare-charset.js';
import { fixMojibake } from './fix-mojibake.js';
import { foldHeaders } from './fold-headers.js';
import { type Attachment, formatAddress, type Mail } from './mail.js';

/** Bytes: lists of addresses take time by their square. */
const MAX_HEADERS = 512 * 1024;

/** Reads a message in the format of the internet (RFC 5322 and MIME). */
export async function readEml(bytes: Uint8Array): Promise<{ mail: Mail; email: Email }> {
  const email = await PostalMime.parse(declareCharset(foldHeaders(bytes)), {
    forceRfc822Attachments: true,
    maxHeadersSize: MAX_HEADERS,
  });
  return { email, mail: toMail(email) };
}

function toMail(email: Email): Mail {
  return {
    ...(email.subject && { subject: fixMojibake(email.subject) }),
    from: people(email.from ? [email.from] : []),
    to: people(email.to),
    cc: people(email.cc),
    bcc: people(email.bcc),
    ...(email.date && { date: email.date }),
    ...(email.text && { text: fixMojibake(email.text) }),
    ...(email.html && { html: fixMojibake(email.html) }),
    attachments: email.attachments.map(toAttachment),
  };
}

function people(addresses: Address[] = []): string[] {
  return addresses.flatMap((address) => {
    const name = fixMojibake(address.name);
    if (!address.group) return [formatAddress(name, address.address)];
    return [`${name}: ${people(address.group).join(', ')}`];
  });
}

function toAttachment({
  filename,
  mimeType,
  content,
  disposition,
  related,
}: Email['attachments'][number]): Attachment {
  return {
    ...(filename && { fileName: fixMojibake(filename) }),
    mediaType: mimeType,
    bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    isInline: related === true || disposition === 'inline',
  };
}
