import type { ParsedDocument } from '@lectern/file-to-markdown';
import { nfkc } from '@lectern/file-to-markdown/nfkc';
import { DocumentKeywords } from './keywords/keywords.js';
import { detectCommonLanguages, detectLanguages } from './languages/languages.js';
import { type PlacedPiece, placePieces } from './place-pieces.js';
import type { ChunkingOptions, Piece } from './split/split.js';
import type { NewChunk } from './store-chunks.js';

const CHUNKS_PER_TICK = 50;
/** Leading pieces from which word weights and languages are computed. */
const SAMPLE_PIECES = 2_000;
const LANGUAGE_SAMPLES = 40;
/** Longer titles are ignored: the title is repeated with every chunk. */
const MAX_TITLE = 300;

interface ChunkOptions {
  fileName: string;
  lastModified: Date;
  chunking?: ChunkingOptions | undefined;
}

/**
 * Splits a parsed document and describes each chunk. The first pieces are buffered to compute document
 * statistics; later chunks are streamed. Yields to the event loop in between.
 */
export async function* makeChunks(
  parsed: ParsedDocument,
  { fileName, lastModified, chunking = {} }: ChunkOptions,
): AsyncGenerator<NewChunk> {
  const pieces = placePieces(parsed.pages, chunking);
  const window = await take(pieces, SAMPLE_PIECES);
  const documentLanguages = detectCommonLanguages(spread(window, LANGUAGE_SAMPLES).map(({ text }) => text));
  const keywords = new DocumentKeywords(
    window.map(({ text }) => text),
    documentLanguages,
  );
  const title = usefulTitle(parsed.title, window);

  const chunkOf = (piece: PlacedPiece): NewChunk => ({
    content: piece.text,
    contentComplement: headingContext(piece, title),
    keywords: keywords.of(piece.text),
    metadata: {
      file_directory: '',
      filename: fileName,
      filetype: parsed.mediaType,
      languages: detectLanguages(piece.text, documentLanguages),
      last_modified: lastModified.toISOString(),
      page_number: piece.page,
      ...citedMetadata(piece),
    },
  });
  let count = 0;
  try {
    for await (const piece of chain(window, pieces)) {
      yield chunkOf(piece);
      if (++count % CHUNKS_PER_TICK === 0) await new Promise(setImmediate);
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** By what a citation finds the text in the source. */
const citedMetadata = ({ start, end, headings, page, lastPage, sheet, rows, extractedBy }: PlacedPiece) => ({
  char_start: start,
  char_end: end,
  headings,
  ...(lastPage !== page && { last_page_number: lastPage }),
  ...(sheet !== undefined && { sheet }),
  ...(rows && { first_row: rows.first, last_row: rows.last }),
  ...(extractedBy !== undefined && { extracted_by: extractedBy }),
});

/** Context of the text: title and headings, then the header of a table that continues in it. */
function headingContext({ headings, tableHead }: Piece, title: string | undefined): string {
  const path = title === undefined ? headings : [title, ...headings];
  return [path.join(' > '), tableHead].filter(Boolean).join('\n');
}

/**
 * A title that says more than the headings do: one that is a heading itself stands where it should, and programs
 * often write a file's name or their own for a title.
 */
function usefulTitle(title: string | undefined, pieces: readonly Piece[]): string | undefined {
  const isName = /\.\w{2,5}$|^(?:microsoft|untitled|document|slide|sheet|book)\b|^\W*$/i;
  if (title === undefined || title.length > MAX_TITLE || isName.test(title)) return undefined;
  const isHeading = pieces.some(({ headings }) => headings.some((heading) => isSame(heading, title)));
  return isHeading ? undefined : title.replace(/\s+/g, ' ').trim();
}

function isSame(a: string, b: string): boolean {
  const fold = (text: string) =>
    nfkc(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '');
  return fold(a) === fold(b);
}

async function take<T>(items: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = await items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

async function* chain<T>(first: T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first.splice(0);
  yield* rest;
}

function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(index * step)] as T,
  );
}
