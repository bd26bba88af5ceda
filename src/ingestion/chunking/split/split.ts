import type { ChunkingOptions } from '../../../../db/schema.js';
import type { Page } from './join-pages.js';
import type { Piece } from './piece.js';
import { Splitter } from './splitter.js';

export type { ChunkingOptions } from '../../../../db/schema.js';
export { joinPages, type Page } from './join-pages.js';
export type { Piece } from './piece.js';

/**
 * Splits pages of Markdown along headings, blocks and sentences, while they arrive: what is held is a page and a
 * piece or two, however long the text. One pass, linear time; the same pages always give the same pieces.
 *
 * Cap: `piece.text.length <= size`, always; a longer sentence is cut at a line break, a clause, a blank, and
 * only a longer word inside itself, never inside a surrogate pair.
 *
 * Lossless: with `text = joinPages(pages)`, each piece is `text.slice(piece.start, piece.end)`; starts and
 * ends both rise from piece to piece; and whatever lies in no piece is white space. So the pieces, each
 * from where the one before it ended, give back the text up to white space between them.
 *
 * Sections: a heading starts a new piece, together with headings that follow it directly; overlaps never
 * reach across one. Code, tables and short paragraphs stay whole where they fit, and so do table rows. A piece
 * ends in no heading, unless its page has nothing else. What is left of a section after its last full piece is
 * evened out with it if tiny.
 *
 * Separators: the first one cuts wherever it occurs, as a heading does. A part between that fits is one piece,
 * whatever its structure; one that is longer is cut by the second separator into parts that are packed again
 * up to `size`, those that are still too long by the third, and in the end by structure, as above. See `cutsAt`
 * for where a separator cuts; it stays in the text.
 *
 * Pages: a sentence belongs to the page on which it starts, and a piece holds sentences of one page only. Pages
 * of the same number are stretches of one text: pieces, code and tables go on across them.
 */
export async function* splitPages(
  pages: AsyncIterable<Page> | Iterable<Page>,
  options: ChunkingOptions = {},
): AsyncGenerator<Piece> {
  const splitter = new Splitter(options);
  for await (const page of pages) yield* splitter.add(page);
  yield* splitter.end();
}
