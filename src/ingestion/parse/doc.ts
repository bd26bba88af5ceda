import { CFB } from '@e965/xlsx';
import WordExtractor from 'word-extractor';
import { bodyToMarkdown } from './doc/body-to-markdown.js';
import { corruptFileError, ParseError } from './parse-error.js';
import { singlePage } from './text.js';
import type { ParseInput, ParserResult } from './types.js';

/** At the start of the document's stream: what it is, and flags ([MS-DOC] 2.5.1). */
const WORD_97 = 0xa5ec;
const FLAGS_AT = 10;
const IS_ENCRYPTED = 0x0100;
/** Typographic quotes and dashes stay as they are. */
const AS_WRITTEN = { filterUnicode: false };

/** Word documents from before 2007: paragraphs, tables, text boxes and notes, as one page. */
export async function parseDoc({ source, signal }: ParseInput): Promise<ParserResult> {
  const bytes = await source.readAll();
  checkContainer(bytes);
  signal?.throwIfAborted();
  try {
    const document = await new WordExtractor().extract(bytes);
    const texts = [
      document.getBody(AS_WRITTEN),
      document.getTextboxes({ ...AS_WRITTEN, includeHeadersAndFooters: false }),
      document.getFootnotes(AS_WRITTEN),
      document.getEndnotes(AS_WRITTEN),
    ];
    return singlePage(texts.map(bodyToMarkdown).filter(Boolean).join('\n\n'));
  } catch (error) {
    throw corruptFileError('Word document', error);
  }
}

/** The extractor follows damaged chains of sectors for ever. */
function checkContainer(bytes: Buffer): void {
  const stream = documentStream(bytes);
  const flags = stream.readUInt16LE(FLAGS_AT);
  if (flags & IS_ENCRYPTED) {
    const message = 'The document is protected by a password; remove the password and upload it again.';
    throw new ParseError('encrypted', message);
  }
  if (stream.readUInt16LE(0) === WORD_97) return;
  const message = 'The document was written by Word 95 or older; save it as docx and upload that.';
  throw new ParseError('unsupported_type', message);
}

function documentStream(bytes: Buffer): Buffer {
  try {
    const entry = CFB.find(CFB.read(bytes, { type: 'buffer' }), 'WordDocument');
    const content = Buffer.from(entry?.content ?? []);
    if (entry && content.length === entry.size && content.length > FLAGS_AT + 2) return content;
  } catch (error) {
    throw corruptFileError('Word document', error);
  }
  throw corruptFileError('Word document');
}
