import { IngestionError } from '../../ingestion-error.js';
import { ParseError } from '../parse-error.js';
import type { ParseInput } from '../types.js';
import { demoteHeadings } from './demote-headings.js';
import type { Attachment } from './mail.js';

const MAX_COUNT = 100;
const MAX_TOTAL_BYTES = 100 * 2 ** 20;

/** Each attachment under a heading: its text, or a note of why there is none. */
export async function* renderAttachments(all: Attachment[], input: ParseInput): AsyncGenerator<string> {
  const attachments = all.filter(
    ({ isInline, mediaType = '' }) => !isInline || !/^(?:image|text\/css)/.test(mediaType),
  );
  let total = 0;
  for (const [index, attachment] of attachments.entries()) {
    input.signal?.throwIfAborted();
    total += attachment.bytes.length;
    const isTooMuch = index >= MAX_COUNT || total > MAX_TOTAL_BYTES;
    const content = isTooMuch
      ? note('there are too many attachments', attachment, input)
      : await contentOf(attachment, input);
    yield `## Attachment: ${nameOf(attachment)}\n\n${content}`;
  }
}

const nameOf = ({ fileName, mediaType }: Attachment): string =>
  fileName?.replace(/\s+/g, ' ').trim() || mediaType || 'without a name';

async function contentOf(attachment: Attachment, input: ParseInput): Promise<string> {
  const { fileName, mediaType, bytes } = attachment;
  try {
    const hints = { ...(fileName && { fileName }), ...(mediaType && { mediaType }) };
    const markdown = await input.parseEmbeddedFile?.(bytes, hints);
    return markdown === undefined
      ? note('it is nested too deep', attachment, input)
      : demoteHeadings(markdown, 2);
  } catch (error) {
    input.signal?.throwIfAborted();
    // What one attachment has used up is missing for all that follow.
    if (error instanceof IngestionError && error.code === 'too_much_text') throw error;
    // Its sentence says what to do with a whole file, which is no help here.
    const code = error instanceof ParseError ? error.code : 'corrupt';
    return note(REASONS[code] ?? 'it has no text', attachment, input);
  }
}

const REASONS: Partial<Record<string, string>> = {
  corrupt: 'it is damaged',
  encrypted: 'it is protected by a password',
  too_large: 'it is too large',
  unsupported_type: 'files of its type are not read',
};

function note(reason: string, attachment: Attachment, input: ParseInput): string {
  input.warn?.('unreadable_attachments', { name: nameOf(attachment) });
  return `(Not read: ${reason}.)`;
}
