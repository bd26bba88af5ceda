import { keywords } from './keywords.js';
import { languages } from './languages.js';
import type { ParsedDocument, ParsedPage } from './parse/index.js';
import { split } from './split.js';
import type { NewChunk } from './store-chunks.js';

const CHUNKS_PER_TURN = 50;
/** Below this many characters a chunk's language is taken from the whole document. */
const TELLING_LENGTH = 200;

/** Splits a parsed document and describes each chunk. Lets other work of the process run in between. */
export async function makeChunks(
  parsed: ParsedDocument,
  { fileName, lastModified }: { fileName: string; lastModified: Date },
): Promise<NewChunk[]> {
  const pages: ParsedPage[] = [];
  for await (const page of parsed.pages) pages.push(page);
  const whole = languages(pages.map((page) => page.markdown).join('\n\n'));
  const chunks: NewChunk[] = [];
  for (const piece of split(pages)) {
    const own = piece.text.length < TELLING_LENGTH ? [] : languages(piece.text);
    chunks.push({
      content: piece.text,
      contentComplement: piece.context,
      keywords: keywords(piece.text),
      metadata: {
        file_directory: '',
        filename: fileName,
        filetype: parsed.mediaType,
        languages: own.length > 0 ? own : whole,
        last_modified: lastModified.toISOString(),
        page_number: piece.page,
      },
    });
    if (chunks.length % CHUNKS_PER_TURN === 0) await new Promise(setImmediate);
  }
  return chunks;
}
