import { composeAccents } from './accents.js';
import type { Fragment } from './fragments.js';
import { type Box, boundingBox } from './geometry.js';
import { isRightToLeft, textInReadingOrder } from './right-to-left.js';
import { attachMarks } from './vowel-marks.js';

/** A line of text at its place on the page. */
export interface Line extends Box {
  text: string;
  baseline: number;
  /** Font size of most of its text. */
  size: number;
  bold: boolean;
  mono: boolean;
  /** Where the text begins after a list marker that stands apart. */
  textLeft: number;
  isRightToLeft?: boolean;
  /** Stays a line of its own within its paragraph. */
  breaks?: boolean;
}

/** Baselines nearer than this share of the font size are one. */
const SAME_BASELINE = 0.5;
/** Across wider gaps, in font sizes, only what was also written in one go is one line. */
const WIDE_GAP = 4;
const BLANK = 0.12;

/** Fragments to lines, from the top down. */
export function toLines(fragments: readonly Fragment[]): Line[] {
  let above: { row: readonly Fragment[]; isRightToLeft: boolean } | undefined;
  return groupByBaseline(fragments).flatMap((group) => {
    const row = attachMarks(group).sort((a, b) => a.left - b.left);
    above = { row, isRightToLeft: isRightToLeft(row, above) };
    const parts = splitAtWideGaps(row);
    if (above.isRightToLeft) parts.reverse();
    return parts.map((part) => toLine(part, above?.isRightToLeft ?? false));
  });
}

/** Groups of fragments on one baseline, from the top down. */
export function groupByBaseline(fragments: readonly Fragment[]): Fragment[][] {
  const rows: Fragment[][] = [];
  let base: Fragment | undefined;
  for (const fragment of fragments.toSorted((a, b) => b.baseline - a.baseline)) {
    const row = rows.at(-1);
    if (
      row &&
      base &&
      base.baseline - fragment.baseline < SAME_BASELINE * Math.min(base.size, fragment.size)
    ) {
      row.push(fragment);
      if (fragment.size > base.size) base = fragment;
    } else {
      rows.push([fragment]);
      base = fragment;
    }
  }
  return rows;
}

function splitAtWideGaps(row: readonly Fragment[]): Fragment[][] {
  const parts: Fragment[][] = [];
  for (const fragment of row) {
    const last = parts.at(-1)?.at(-1);
    const isFar = last && gapBetween(last, fragment) > WIDE_GAP * fragment.size;
    if (last && !(isFar && Math.abs(fragment.order - last.order) > 1)) parts.at(-1)?.push(fragment);
    else parts.push([fragment]);
  }
  return parts;
}

function toLine(fragments: readonly Fragment[], isLineRightToLeft: boolean): Line {
  const main = fragments.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const text = fragments.some(({ rtl }) => rtl)
    ? textInReadingOrder(fragments, isLineRightToLeft, isApart)
    : fragments.reduce((all, fragment, index) => {
        const last = fragments[index - 1];
        return all + (last && isApart(last, fragment) ? ' ' : '') + fragment.text;
      }, '');
  const [first, second] = fragments;
  const words = fragments.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return {
    ...boundingBox(fragments),
    text: composeAccents(text.trim()),
    baseline: main.baseline,
    size: main.size,
    bold: words.length > 0 && words.every(({ bold }) => bold),
    mono: fragments.every(({ mono }) => mono),
    ...(isLineRightToLeft && { isRightToLeft: true }),
    textLeft: (first && second && first.text.trim().length <= 4 ? second.left : first?.left) ?? 0,
  };
}

function isApart(a: Fragment, b: Fragment): boolean {
  return gapBetween(a, b) > BLANK * b.size;
}

function gapBetween(a: Box, b: Box): number {
  return Math.max(b.left - a.right, a.left - b.right);
}
