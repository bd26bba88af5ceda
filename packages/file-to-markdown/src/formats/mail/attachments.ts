import { FileError, ParseError } from '../../errors.js';
import { isOfRecognize } from '../../recognize-errors.js';
import { PicturesInText, pictureInMemory, toReadable } from '../../shared/pictures/pictures-in-text.js';
import type { ParseInput } from '../../types.js';
import { demoteHeadings } from './demote-headings.js';
import type { Attachment } from './mail.js';

export const MAX_COUNT = 100;
export const MAX_TOTAL_BYTES = 100 * 2 ** 20;

/** Its Markdown, or why there is none. */
type Content = { text: string; reason?: undefined } | { text?: undefined; reason: string };
const TOO_MANY: Content = { reason: 'there are too many attachments' };

/** Each attachment under a heading: its text, or a note of why there is none. */
export async function* renderAttachments(
  all: Attachment[],
  input: ParseInput,
  page: number,
): AsyncGenerator<string> {
  const attachments: Attachment[] = [];
  for (const one of all) if (!isPartOfBody(one) || (await mayHaveText(one, input))) attachments.push(one);
  let total = 0;
  for (const [index, attachment] of attachments.entries()) {
    input.signal?.throwIfAborted();
    total += attachment.bytes.length;
    const isTooMuch = index >= MAX_COUNT || total > MAX_TOTAL_BYTES;
    const name = attachment.fileName?.replace(/\s+/g, ' ').trim() || attachment.mediaType || 'without a name';
    const { text, reason } = isTooMuch ? TOO_MANY : await contentOf(attachment, input, page);
    if (reason && isPartOfBody(attachment)) continue;
    if (reason) input.warn?.('unreadable_attachments', { name });
    yield `## Attachment: ${name}\n\n${text ?? `(Not read: ${reason}.)`}`;
  }
}

const isPartOfBody = ({ isInline, mediaType = '' }: Attachment): boolean =>
  isInline && /^(?:image|text\/css)/.test(mediaType);

/** A picture in the body, where such are read; logos are too small. */
async function mayHaveText({ bytes }: Attachment, input: ParseInput): Promise<boolean> {
  const isWanted = PicturesInText.wantedBy(input) !== undefined;
  return isWanted && (await toReadable(pictureInMemory(bytes))) !== undefined;
}

async function contentOf(
  { fileName, mediaType, bytes }: Attachment,
  input: ParseInput,
  page: number,
): Promise<Content> {
  try {
    const hints = { page, ...(fileName && { fileName }), ...(mediaType && { mediaType }) };
    const markdown = await input.parseEmbeddedFile?.(bytes, hints);
    return markdown === undefined
      ? { reason: 'it is nested too deep' }
      : { text: demoteHeadings(markdown, 2) };
  } catch (error) {
    input.signal?.throwIfAborted();
    if (isOfRecognize(error)) throw error;
    // What one attachment has used up is missing for all that follow.
    if (error instanceof FileError && error.code === 'too_much_text') throw error;
    // Its sentence says what to do with a whole file, which is no help here.
    const code = error instanceof ParseError ? error.code : 'corrupt';
    return { reason: REASONS[code] ?? 'it has no text' };
  }
}

const REASONS: Partial<Record<string, string>> = {
  corrupt: 'it is damaged',
  encrypted: 'it is protected by a password',
  too_large: 'it is too large',
  unsupported_type: 'files of its type are not read',
};
