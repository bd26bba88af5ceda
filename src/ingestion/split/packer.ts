import type { JoinedPages } from './join-pages.js';
import type { Unit } from './units.js';

export interface Piece {
  text: string;
  /** Headings of the section this text stands in, outermost first; its own heading is the last. */
  headings: string[];
  /** The heading path (`A > B`) and, below it, the header of a table that goes on here; `''` if neither. */
  context: string;
  /** Number of the page on which the text starts. */
  page: number;
  /** Offsets into `joinPages(pages).text`, in UTF-16 code units, `end` exclusive. */
  start: number;
  end: number;
}

/** Packs units, in order, into pieces of at most `size` characters. Emits nothing twice except overlaps. */
export class Packer {
  private units: Unit[] = [];
  /** How many of `units` were already in the previous piece. */
  private repeated = 0;
  private headings: string[] = [];
  private page = 1;

  constructor(
    private readonly source: JoinedPages,
    private readonly size: number,
    private readonly overlap: number,
    private readonly emit: (piece: Piece) => void,
  ) {}

  /** A new section begins: closes the piece, unless nothing but headings is in it yet. */
  openSection(headings: string[]): void {
    if (!this.hasOnlyHeadings()) this.close();
    this.headings = headings;
  }

  /** Closes the piece before a block of `length` characters when that keeps the block whole. */
  makeRoom(block: { kind: Unit['kind']; start: number; end: number }): void {
    const used = this.lengthTo(this.units.at(-1)?.end ?? 0);
    const fits = this.lengthTo(block.end) <= this.size;
    const wouldFitAlone = block.end - block.start <= this.size;
    if (fits || !wouldFitAlone || this.hasOnlyHeadings()) return;
    if (block.kind !== 'prose') this.close();
    else if (used >= this.size / 2) this.close(this.overlap);
  }

  add(unit: Unit): void {
    const page = this.source.pageAt(unit.start);
    if (page !== this.page) this.close();
    this.page = page;
    if (this.lengthTo(unit.end) > this.size) this.close(this.overlap);
    while (this.lengthTo(unit.end) > this.size) this.dropRepeated();
    this.units.push(unit);
  }

  /** Emits what was added since the last piece, and keeps up to `overlap` characters of whole sentences. */
  close(overlap = 0): void {
    if (this.units.length > this.repeated) this.emit(this.piece());
    this.units = overlap > 0 ? this.tail(overlap) : [];
    this.repeated = this.units.length;
  }

  private piece(): Piece {
    const start = this.units[0]?.start ?? 0;
    const end = this.units.at(-1)?.end ?? start;
    const text = this.source.text.slice(start, end);
    const path = this.headings.join(' > ');
    const context = [path, this.tableHead(start)].filter(Boolean).join('\n');
    return { text, headings: this.headings, context, page: this.page, start, end };
  }

  /** The header that the first row belongs to, when it is in an earlier piece; none that outweighs the rows. */
  private tableHead(start: number): string {
    const head = this.units[0]?.head;
    if (!head || head.start >= start || head.end - head.start > this.size / 2) return '';
    return this.source.text.slice(head.start, head.end);
  }

  /** Never the whole piece, so that every piece starts after the one before it. */
  private tail(overlap: number): Unit[] {
    const end = this.units.at(-1)?.end ?? 0;
    let from = this.units.length;
    while (from > 1) {
      const unit = this.units[from - 1];
      if (unit?.kind !== 'prose' || end - unit.start > overlap) break;
      from--;
    }
    return this.units.slice(from);
  }

  private dropRepeated(): void {
    this.units.shift();
    this.repeated--;
  }

  private hasOnlyHeadings(): boolean {
    return this.units.every((unit) => unit.kind === 'heading');
  }

  private lengthTo(end: number): number {
    const first = this.units[0];
    return first ? end - first.start : 0;
  }
}
