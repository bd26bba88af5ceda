import { foldGlyphText, isUnspaced } from '../../normalize.js';
import type { Line } from './lines.js';

/** Factors of the body's font size at which a line is a heading of level 1, 2 and 3. */
const HEADING_SIZES = [1.6, 1.3, 1.12];
const MAX_HEADING = 150;
/** With more large text than this share, size does not mean headings in this document. */
const MAX_HEADING_SHARE = 0.2;
const SIMILAR_SIZE = 0.1;
/** Factor of the usual distance between lines beyond which a new paragraph begins. */
const PARAGRAPH_GAP = 1.35;
const USUAL_LEADING = 1.2;
/** A line is short when it ends this many font sizes before the longest one above it. */
const SHORT_BY = 4;
const LIST_ITEM =
  /^\s*(?:[•●▪◦‣■□–-]\s|\(?\d{1,3}[.)]\s|\(?[a-z][.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、)）])/;
/** An entry of a table of contents. */
const LEADER_TO_PAGE = /\.{4,}[\s.]*\d*\s*$/;
const BULLET = /^[•●▪◦‣■□]\s*/;

/** Pages of lines to pages of Markdown: paragraphs put together, larger lines as headings. */
export function pagesToMarkdown(pages: readonly Line[][]): string[] {
  const levelOf = headingLevels(pages.flat());
  return pages.map((lines) =>
    paragraphs(lines)
      .map((paragraph) => render(paragraph, levelOf))
      .filter(Boolean)
      .join('\n\n'),
  );
}

function paragraphs(lines: readonly Line[]): Line[][] {
  const leading = usualLeading(lines);
  const result: Line[][] = [];
  for (const line of lines) {
    const open = result.at(-1);
    if (open && goesOn(open, line, leading)) open.push(line);
    else result.push([line]);
  }
  return result;
}

function goesOn(paragraph: readonly Line[], line: Line, leading: number): boolean {
  const last = paragraph.at(-1);
  if (!last || !isSimilar(last.size, line.size) || LIST_ITEM.test(line.text)) return false;
  if (LEADER_TO_PAGE.test(last.text)) return false;
  const gap = last.baseline - line.baseline;
  if (gap < 0 || gap > leading * line.size * PARAGRAPH_GAP) return false;
  const right = Math.max(...paragraph.map((above) => above.right));
  const isShort = last.right < right - SHORT_BY * line.size;
  const isIndented = line.left > last.left + line.size && paragraph.length > 1;
  const isFinished = /[.!?:。！？：][”"’')）]?\s*$/.test(last.text);
  return !(isFinished && (isShort || isIndented));
}

/** The median distance of lines that follow each other, as a factor of their size. */
function usualLeading(lines: readonly Line[]): number {
  const gaps: number[] = [];
  for (const [index, line] of lines.entries()) {
    const gap = ((lines[index - 1]?.baseline ?? 0) - line.baseline) / line.size;
    if (gap > 0.8 && gap < 2.5) gaps.push(gap);
  }
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? USUAL_LEADING;
}

function render(paragraph: readonly Line[], levelOf: (size: number) => number): string {
  const text = foldGlyphText(paragraph.map(({ text }) => text).reduce(joinLines))
    .replace(/(?:\. ?){4,}/g, ' ... ')
    .trim();
  const level = levelOf(paragraph[0]?.size ?? 0);
  const isHeading = level > 0 && text.length <= MAX_HEADING && /\p{L}/u.test(text);
  return isHeading ? `${'#'.repeat(level)} ${text}` : text.replace(BULLET, '- ');
}

/** A hyphen before a lower-case letter only divides a word; Han is written without blanks. */
function joinLines(above: string, below: string): string {
  const before = above.trimEnd();
  const after = below.trimStart();
  if (/\u00ad$/.test(before) || (/\p{L}[-‐]$/u.test(before) && /^\p{Ll}/u.test(after)))
    return before.slice(0, -1) + after;
  const isDense = isUnspaced(before.at(-1) ?? '') && isUnspaced(after.charAt(0));
  return before + (isDense ? '' : ' ') + after;
}

function headingLevels(lines: readonly Line[]): (size: number) => number {
  const body = bodySize(lines);
  const levelOf = (size: number) => HEADING_SIZES.findIndex((factor) => size >= body * factor) + 1;
  const isLarge = ({ size }: Line) => levelOf(size) > 0;
  const large = characters(lines.filter(isLarge));
  return large > characters(lines) * MAX_HEADING_SHARE ? () => 0 : levelOf;
}

/** The size most characters have, to half a point. */
function bodySize(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    counts.set(rounded, (counts.get(rounded) ?? 0) + text.length);
  }
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

function characters(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

function isSimilar(a: number, b: number): boolean {
  return Math.abs(a - b) <= SIMILAR_SIZE * Math.max(a, b);
}
