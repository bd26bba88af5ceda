import { type Block, scanBlocks } from './split/blocks.js';
import { joinPages, type Page } from './split/join-pages.js';
import { Packer, type Piece } from './split/packer.js';
import { unitsOf } from './split/units.js';

export { joinPages, type Page } from './split/join-pages.js';
export type { Piece } from './split/packer.js';

export interface SplitOptions {
  /** Most characters (UTF-16 code units) of a piece, at least 2; default 1000. */
  size?: number;
  /** Most characters of whole sentences repeated at the start of the next piece; default 100. */
  overlap?: number;
}

/**
 * Splits pages of Markdown into pieces for search. See `splitLazily` for what holds of them; this is the same,
 * collected.
 */
export function split(pages: readonly Page[], options: SplitOptions = {}): Piece[] {
  return [...splitLazily(pages, options)];
}

/**
 * Splits pages of Markdown along headings, blocks and sentences. Deterministic, one pass, linear time.
 *
 * Cap: `piece.text.length <= size`, always; a longer sentence is cut at a line break, a clause, a blank, and
 * only a longer word inside itself, never inside a surrogate pair.
 *
 * Lossless: with `text = joinPages(pages).text`, each piece is `text.slice(piece.start, piece.end)`; starts and
 * ends both rise from piece to piece; and whatever lies in no piece is white space. So the pieces, each
 * from where the one before it ended, give back the text up to white space between them.
 *
 * Sections: a heading starts a new piece, together with headings that follow it directly; overlaps never
 * reach across one. Code, tables and short paragraphs stay whole where they fit.
 *
 * Pages: a sentence belongs to the page on which it starts, and a piece holds sentences of one page only.
 */
export function* splitLazily(pages: readonly Page[], options: SplitOptions = {}): Generator<Piece> {
  const { size, overlap } = limits(options);
  const source = joinPages(pages);
  const ready: Piece[] = [];
  const packer = new Packer(source, size, overlap, (piece) => ready.push(piece));
  const path: { level: number; title: string }[] = [];

  for (const stretch of source.stretches) {
    for (const block of scanBlocks(source.text, stretch.start, stretch.end)) {
      if (block.kind === 'heading') packer.openSection(descend(path, block));
      packer.makeRoom(block);
      for (const unit of unitsOf(source.text, block, size)) {
        packer.add(unit);
        yield* ready.splice(0);
      }
    }
  }
  packer.close();
  yield* ready;
}

/** Leaves the sections at the heading's level and below, and enters its own. */
function descend(path: { level: number; title: string }[], heading: Block & { kind: 'heading' }): string[] {
  while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
  path.push({ level: heading.level, title: heading.title });
  return path.map(({ title }) => title).filter(Boolean);
}

function limits({ size = 1000, overlap = 100 }: SplitOptions): { size: number; overlap: number } {
  if (!Number.isInteger(size) || size < 2) throw new RangeError('size must be an integer of at least 2');
  return { size, overlap: Math.min(Math.max(0, overlap), Math.floor(size / 2)) };
}
