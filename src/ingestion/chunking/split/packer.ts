import { balanceLastPieces } from './balance.js';
import { findBreak } from './cut.js';
import { overlapUnits } from './overlap.js';
import {
  type Piece,
  type PieceDraft,
  type PieceLimits,
  type PlacedUnit,
  spanLength,
  toPiece,
} from './piece.js';
import type { TextWindow } from './text-window.js';
import type { Unit } from './units.js';

/** Packs units, in order, into pieces of at most `size` characters. Emits nothing twice except overlaps. */
export class Packer {
  private current: PieceDraft = { units: [], repeated: 0 };
  /** Full, but not emitted yet: it may be balanced with the rest of its section. */
  private full: PieceDraft | undefined;
  /** Whether nothing is in the piece yet but headings and marks. */
  private hasOnlyHeadings = true;
  /** Whether the page has more than headings and marks so far. */
  private hasPageText = false;

  constructor(
    private readonly window: TextWindow,
    private readonly limits: PieceLimits,
    private readonly emit: (piece: Piece) => void,
  ) {}

  /** Where the text begins that is still needed here. */
  get start(): number {
    return (this.full ?? this.current).units[0]?.start ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Ends the section: nothing is merged or repeated across. Pending headings stay with the text that follows.
   */
  endSection(): void {
    if (!this.hasOnlyHeadings) this.end();
  }

  /** Closes the piece before a block when that keeps the block whole. */
  breakBefore(block: { kind: Unit['kind'] | 'part'; start: number; end: number }): void {
    const { size } = this.limits;
    const wouldFitAlone = block.end - block.start <= size;
    if (this.fits(block.end) || !wouldFitAlone || this.hasOnlyHeadings) return;
    if (block.kind === 'part') {
      this.close(this.limits.overlap);
      this.dropRepeated(block.end);
    } else if (block.kind !== 'prose') this.close();
    else if (spanLength(this.current.units) >= size / 2) this.close(this.limits.overlap);
  }

  add(unit: PlacedUnit): void {
    const page = this.current.units.at(-1)?.page ?? unit.page;
    if (unit.page !== page) this.endPage();
    if (!this.fits(unit.end) && !this.hasOnlyHeadings) this.close(this.limits.overlap);
    this.dropRepeated(unit.end);
    while (!this.fits(unit.end)) {
      if (this.hasOnlyHeadings && this.shareRoom(unit)) return;
      this.close();
    }
    this.push(unit);
  }

  /** Headings at a page's foot wait for what they head; those of a page that has nothing else stand alone. */
  private endPage(): void {
    if (!this.hasOnlyHeadings || !this.hasPageText) this.end();
    this.hasPageText = false;
  }

  /** Emits everything. */
  end(): void {
    const { full, current } = this;
    this.current = { units: [], repeated: 0 };
    this.full = undefined;
    this.hasOnlyHeadings = true;
    for (const draft of full ? balanceLastPieces(full, current, this.limits, this.window) : [current])
      this.write(draft);
  }

  /** Ends the piece, and begins the next one with up to `overlap` characters of its last sentences. */
  private close(overlap = 0): void {
    const { units, repeated } = this.current;
    const led = units.findLastIndex((unit) => !unit.keepWithNext) + 1;
    const end = led > repeated ? led : units.length;
    const next = units.slice(end);
    const done = units.slice(0, end);
    if (done.length > repeated) {
      this.write(this.full);
      this.full = { units: done, repeated };
    }
    const tail = overlap > 0 && next.length === 0 ? overlapUnits(done, overlap, this.window) : [];
    this.current = { units: [...tail, ...next], repeated: tail.length };
    this.hasOnlyHeadings = tail.length === 0 && next.every((unit) => this.hasNoText(unit));
  }

  private write(draft: PieceDraft | undefined): void {
    if (draft && draft.units.length > draft.repeated) this.emit(toPiece(draft.units, this.window));
  }

  /** Cuts a sentence that is too long to stand with its heading, so that the heading does not stand alone. */
  private shareRoom(unit: PlacedUnit): boolean {
    const room = this.limits.size - (unit.start - (this.current.units[0]?.start ?? unit.start));
    if (unit.kind !== 'prose' || room < Math.max(2, this.limits.size / 4)) return false;
    const text = this.window.slice(unit.start, unit.end);
    const cut = findBreak(text, 0, room);
    this.push({ ...unit, end: unit.start + text.slice(0, cut).trimEnd().length });
    this.add({ ...unit, start: unit.end - text.slice(cut).trimStart().length });
    return true;
  }

  private push(unit: PlacedUnit): void {
    this.current.units.push(unit);
    if (this.hasNoText(unit)) return;
    this.hasOnlyHeadings = false;
    this.hasPageText = true;
  }

  private dropRepeated(end: number): void {
    while (!this.fits(end) && this.current.repeated > 0) {
      this.current.units.shift();
      this.current.repeated--;
    }
  }

  private hasNoText({ kind, start, end }: PlacedUnit): boolean {
    return kind === 'heading' || (end - start < 20 && !/[\p{L}\p{N}]/u.test(this.window.slice(start, end)));
  }

  private fits(end: number): boolean {
    const first = this.current.units[0];
    return !first || end - first.start <= this.limits.size;
  }
}
