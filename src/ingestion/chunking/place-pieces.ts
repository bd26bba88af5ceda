import type { ParsedPage } from '@lectern/file-to-markdown';
import type { ExtractedPage } from '../extraction/insert-texts.js';
import { Ranges } from './ranges.js';
import { PagePlacer } from './split/join-pages.js';
import { type ChunkingOptions, type Piece, splitPages } from './split/split.js';

/** A piece with what a citation says of its place in the source. */
export interface PlacedPiece extends Piece {
  /** Number of the page on which it ends, where a sentence runs on to that. */
  lastPage: number;
  sheet: string | undefined;
  /** What read a part of it, where that was not Lectern. */
  extractedBy: string | undefined;
  /** The rows of a sheet or a CSV file in it. */
  rows: { first: number; last: number } | undefined;
}

/** Splits pages as `splitPages` does, and tells of each piece where in the source it is. */
export async function* placePieces(
  pages: AsyncIterable<ExtractedPage>,
  chunking: ChunkingOptions,
): AsyncGenerator<PlacedPiece> {
  const placer = new PagePlacer();
  const placed = new Ranges<ExtractedPage>();
  const rows = new Ranges<number>();
  const engines = new Ranges<string>();
  for await (const piece of splitPages(watched(), chunking)) {
    const on = placed.within(piece.start, piece.end);
    const shown = rows.within(piece.start, piece.end);
    yield {
      ...piece,
      lastPage: on.at(-1)?.number ?? piece.page,
      sheet: on[0]?.sheet,
      extractedBy: engines.within(piece.start, piece.end)[0],
      rows: shown.length > 0 ? { first: Math.min(...shown), last: Math.max(...shown) } : undefined,
    };
  }

  /** The pages, of which the splitter takes one when it needs it. */
  async function* watched(): AsyncGenerator<ExtractedPage> {
    for await (const page of pages) {
      const { start } = placer.place(page.markdown);
      placed.add(start, start + page.markdown.length, page);
      addRows(page, start);
      for (const { by, ...range } of page.extracted ?? [])
        engines.add(start + range.start, start + range.end, by);
      yield page;
    }
  }

  function addRows({ markdown, rows: numbers = [] }: ParsedPage, pageStart: number): void {
    let start = 0;
    for (const number of numbers) {
      const newline = markdown.indexOf('\n', start);
      const end = newline === -1 ? markdown.length : newline;
      if (number !== null) rows.add(pageStart + start, pageStart + end, number);
      start = end + 1;
    }
  }
}
