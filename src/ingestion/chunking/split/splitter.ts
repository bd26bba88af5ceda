import type { ChunkingOptions } from '../../../../db/schema.js';
import { type Block, type OpenBlock, scanBlocks } from './blocks.js';
import { LINE_JOIN, type Page, type PageEnd, pageEndOf, pageSeparator } from './join-pages.js';
import { Packer } from './packer.js';
import type { Piece, PlacedUnit, TableHead } from './piece.js';
import { findSeparators } from './separators.js';
import { TextWindow } from './text-window.js';
import { splitUnits } from './units.js';

/** Splits pages as they are given; `splitPages` says what holds of the pieces. */
export class Splitter {
  private readonly window = new TextWindow();
  private readonly ready: Piece[] = [];
  private readonly packer: Packer;
  private readonly size: number;
  private readonly separators: string[];

  private before: PageEnd | undefined;
  private pageNumber = 1;
  private pageStart = 0;
  private previousNumber = 1;
  /** The last sentence, which may run on to the next page. */
  private held: PlacedUnit | undefined;
  private path: { level: number; title: string }[] = [];
  private headings: string[] = [];
  private open: OpenBlock = {};
  private table: { end: number; head: TableHead | undefined } | undefined;

  constructor({ size = 1000, overlap = 100, separators = [] }: ChunkingOptions) {
    if (!Number.isInteger(size) || size < 2) throw new RangeError('size must be an integer of at least 2');
    const limits = { size, overlap: Math.min(Math.max(0, overlap), Math.floor(size / 2)) };
    this.size = size;
    this.separators = separators.map((separator) => separator.replaceAll('\r\n', '\n')).filter(Boolean);
    this.packer = new Packer(this.window, limits, (piece) => this.ready.push(piece));
  }

  /** @returns the pieces that are ready */
  add(page: Page): Piece[] {
    const joint = this.before ? pageSeparator(this.before, page.markdown) : '';
    const runsOn = joint === LINE_JOIN && this.held?.kind === 'prose';
    if (!runsOn) this.release();
    const start = this.held?.start ?? this.window.end;
    this.held = undefined;
    this.window.advance(Math.min(start, this.packer.start), joint + page.markdown);
    this.turnTo(page, this.window.end - page.markdown.length);
    if (joint !== LINE_JOIN) this.table = undefined;

    this.cut(start, this.window.end, 0);
    this.before = pageEndOf(page.markdown);
    return this.ready.splice(0);
  }

  /** @returns the last pieces */
  end(): Piece[] {
    this.release();
    this.packer.end();
    return this.ready.splice(0);
  }

  private turnTo({ number }: Page, start: number): void {
    if (number !== this.pageNumber) this.open = {};
    this.previousNumber = this.pageNumber;
    this.pageNumber = number;
    this.pageStart = start;
  }

  private cut(start: number, end: number, level: number): void {
    const separator = this.separators[level];
    if (separator === undefined) {
      this.addBlocks(start, end, false);
      return;
    }
    const { text, base } = this.window;
    let from = start;
    for (const cut of findSeparators(separator, text, start - base, end - base)) {
      this.addPart(from, base + cut.mark, base + cut.end, level);
      from = base + cut.end;
      if (level > 0) continue;
      this.release();
      this.packer.endSection();
    }
    this.addPart(from, end, end, level);
  }

  /** A part between two separators, and the mark that ends it. */
  private addPart(start: number, mark: number, end: number, level: number): void {
    const fits = end - start <= this.size;
    if (fits && end > start) {
      this.release();
      this.packer.breakBefore({ kind: 'part', start, end });
    }
    if (fits) this.addBlocks(start, mark, true);
    else this.cut(start, mark, level + 1);
    const { base } = this.window;
    if (end > mark) this.addBlock({ kind: 'prose', start: mark - base, end: end - base });
  }

  private addBlocks(start: number, end: number, isWhole: boolean): void {
    const { text, base } = this.window;
    for (const block of scanBlocks(text, start - base, end - base, this.open)) {
      if (!isWhole) {
        this.release();
        if (block.kind === 'heading') this.packer.endSection();
        this.packer.breakBefore({ kind: block.kind, start: base + block.start, end: base + block.end });
      }
      if (block.kind === 'heading') this.enter(block);
      this.addBlock(block);
    }
  }

  private addBlock(block: Block): void {
    const { text, base } = this.window;
    const head = block.kind === 'table' ? this.headOf(block) : undefined;
    for (const { start, end, kind, keepWithNext } of splitUnits(text, block, this.size)) {
      const page = base + start < this.pageStart ? this.previousNumber : this.pageNumber;
      this.release();
      this.held = {
        start: base + start,
        end: base + end,
        kind,
        keepWithNext,
        page,
        headings: this.headings,
        head,
      };
    }
    this.table = block.kind === 'table' ? { end: base + block.end, head } : undefined;
  }

  /** The table's own header, or that of the table it goes on with. */
  private headOf({ start, headEnd }: Block & { kind: 'table' }): TableHead | undefined {
    const { text, base } = this.window;
    if (headEnd === start) {
      const isNext = this.table && !/\n\s*\n/.test(this.window.slice(this.table.end, base + start));
      return isNext ? this.table?.head : undefined;
    }
    // One that outweighs the rows below it would only get in their way.
    return headEnd - start <= this.size / 2
      ? { start: base + start, text: text.slice(start, headEnd) }
      : undefined;
  }

  /** Leaves the sections at the heading's level and below, and enters its own. */
  private enter({ level, title }: Block & { kind: 'heading' }): void {
    while ((this.path.at(-1)?.level ?? 0) >= level) this.path.pop();
    this.path.push({ level, title });
    this.headings = this.path.map((heading) => heading.title).filter(Boolean);
  }

  private release(): void {
    if (this.held) this.packer.add(this.held);
    this.held = undefined;
  }
}
