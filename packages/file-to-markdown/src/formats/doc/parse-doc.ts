import { corruptFileError, ParseError } from '../../errors.js';
import { findStream, openOleContainer } from '../../shared/ole/ole-container.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { firstHeading, singlePage } from '../text/parse-text.js';
import { readWord } from './read-word.js';
import { WordFile } from './word-file.js';

/** At the start of the document's stream: what it is, and flags ([MS-DOC] 2.5.1). */
const WORD_97 = 0xa5ec;
const FLAGS_AT = 10;
const IS_ENCRYPTED = 0x0100;

/** Word documents from before 2007: headings, paragraphs, tables, text boxes and notes, as one page. */
export async function parseDoc({ source, signal }: ParseInput): Promise<ParserResult> {
  const readStream = openContainer(await source.readAll());
  checkVersion(readStream('WordDocument'));
  signal?.throwIfAborted();
  try {
    const markdown = readWord(new WordFile(readStream));
    return singlePage(markdown, firstHeading(markdown));
  } catch (error) {
    throw error instanceof ParseError ? error : corruptFileError('Word document', error);
  }
}

function checkVersion(stream: Buffer | undefined): void {
  if (!stream || stream.length < FLAGS_AT + 2) throw corruptFileError('Word document');
  const flags = stream.readUInt16LE(FLAGS_AT);
  if (flags & IS_ENCRYPTED) {
    const message = 'The document is protected by a password; remove the password and upload it again.';
    throw new ParseError('encrypted', message);
  }
  if (stream.readUInt16LE(0) === WORD_97) return;
  const message = 'The document was written by Word 95 or older; save it as docx and upload that.';
  throw new ParseError('unsupported_type', message);
}

/** Streams by their names; one that is cut off is damage, as its chain of sectors is. */
function openContainer(bytes: Buffer): (name: string) => Buffer | undefined {
  const fail = () => {
    throw corruptFileError('Word document');
  };
  const { entries, read } = openOleContainer(bytes, fail);
  return (name) => {
    const entry = findStream(entries[0], name);
    const content = entry && read(entry);
    return content?.length === entry?.length ? content : fail();
  };
}
