import type { TextWindow } from './text-window.js';
import type { Unit } from './units.js';

export interface Piece {
  text: string;
  /** Headings of the section this text stands in, outermost first; its own heading is the last. */
  headings: string[];
  /** Below the header of a table that goes on here, which itself is in an earlier piece; else `''`. */
  tableHead: string;
  /** Number of the page on which the text starts. */
  page: number;
  /** Offsets into `joinPages(pages)`, in UTF-16 code units, `end` exclusive. */
  start: number;
  end: number;
}

/** A unit at its place in the whole text. */
export interface PlacedUnit extends Unit {
  page: number;
  /** The path of its section. */
  headings: string[];
  /** For a row below a table's header: that header. */
  head?: TableHead | undefined;
}

export interface TableHead {
  start: number;
  text: string;
}

/** In characters. */
export interface PieceLimits {
  size: number;
  overlap: number;
}

/** A piece being built. */
export interface PieceDraft {
  units: PlacedUnit[];
  /** How many of `units` were already in the piece before. */
  repeated: number;
}

export function toPiece(units: readonly PlacedUnit[], window: TextWindow): Piece {
  const first = units[0] as PlacedUnit;
  const last = units.at(-1) as PlacedUnit;
  const body = units.find((unit) => unit.kind !== 'heading') ?? last;
  return {
    text: window.slice(first.start, last.end),
    headings: body.headings,
    tableHead: first.head && first.head.start < first.start ? first.head.text : '',
    page: first.page,
    start: first.start,
    end: last.end,
  };
}

/** Characters from the first unit to the last. */
export function spanLength(units: readonly PlacedUnit[]): number {
  return (units.at(-1)?.end ?? 0) - (units[0]?.start ?? 0);
}
