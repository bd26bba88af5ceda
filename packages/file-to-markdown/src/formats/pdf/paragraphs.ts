import { isUnspaced } from '../../shared/text/normalize-text.js';
import { median } from './geometry.js';
import type { JoinLines } from './join-lines.js';
import type { Line } from './lines.js';

export type Paragraph = Line[];

const SIMILAR_SIZE = 0.1;
/** Factor of the usual distance between lines beyond which a new paragraph begins. */
const PARAGRAPH_GAP = 1.35;
const SENTENCE_GAP = 1.7;
const USUAL_LEADING = 1.2;
const WIDE_LEADING = 1.7;
/** A line is full when it ends as near to the right as this share of its length. */
const FULL_WITHIN = 0.1;
/** A line is short when it ends this many font sizes before the longest one of its block. */
const SHORT_BY = 4;
/** Shorter lines, in font sizes, may be verse. */
const FULL_LENGTH = 12;
const BULLET = /^(?:[•●▪◦‣■□○➢✓⚫\uf0a7\uf0b7\uf0d8]\s*|[*–-]\s)/;
const NUMBER =
  /^(?:\(?\d{1,3}[.)]\s|\(?[a-zA-Z][.)]\s|\(?[ivx]{1,4}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、)）])/;
/** An entry of a table of contents. */
const LEADER_TO_PAGE = /(?:\. ?){4}\s*(?:\d+\s*)?$/;
const SENTENCE_END = /[.!?:。！？：][”"’')）]?$/;

/** Lines of a region without columns to paragraphs. */
export function toParagraphs(lines: readonly Line[]): Paragraph[] {
  const turned = lines.filter(({ isRightToLeft }) => isRightToLeft);
  if (turned.length * 2 <= lines.length) return leftToRightParagraphs(lines);
  // What ends a paragraph is the same from right to left, in a mirror.
  const originals = new Map(lines.map((line) => [mirrored(line), line]));
  return leftToRightParagraphs([...originals.keys()]).map((paragraph) =>
    paragraph.map((line) => Object.assign(originals.get(line) ?? line, line.breaks && { breaks: true })),
  );
}

const mirrored = (line: Line): Line => ({
  ...line,
  left: -line.right,
  right: -line.left,
  textLeft: -line.right,
});

function leftToRightParagraphs(lines: readonly Line[]): Paragraph[] {
  return blocksOf(lines).flatMap((block) => {
    const right = rightEdge(block);
    const paragraphs: Paragraph[] = [];
    for (const line of block) {
      const open = paragraphs.at(-1);
      const last = open?.at(-1);
      if (open && last && continues(open, line, right)) {
        line.breaks = endsOnPurpose(last, line, right);
        open.push(line);
      } else paragraphs.push([line]);
    }
    for (const paragraph of paragraphs) keepVerse(paragraph);
    return paragraphs;
  });
}

export const isListItem = ([line]: Paragraph) =>
  line !== undefined && (BULLET.test(line.text) || NUMBER.test(line.text));
export const isTocEntry = (paragraph: Paragraph) => LEADER_TO_PAGE.test(paragraph.at(-1)?.text ?? '');

/** One paragraph as text; lines that were ended on purpose, as in verse or an address, stay lines. */
export function paragraphText(paragraph: Paragraph, join: JoinLines): string {
  let text = '';
  for (const line of paragraph) text = line.breaks ? `${text}\n${line.text}` : join(text, line.text);
  return text
    .replace(/(?:\. ?){4,}/g, ' ... ')
    .replace(BULLET, '- ')
    .trim();
}

/** Where most lines end on purpose, the longest does, too. */
function keepVerse(paragraph: Paragraph): void {
  const [, ...rest] = paragraph;
  if (rest.filter(({ breaks }) => breaks).length * 2 <= rest.length) return;
  for (const line of rest) line.breaks = !/^\p{Ll}/u.test(line.text);
}

/** Lines of one size without larger gaps between them. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const leading = usualLeading(lines);
  const right = rightEdge(lines);
  const blocks: Line[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1)?.at(-1);
    if (last && isNext(last, line, leading, right)) blocks.at(-1)?.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function isNext(last: Line, line: Line, leading: number, right: number): boolean {
  if (last.mono !== line.mono) return false;
  if (Math.abs(last.size - line.size) > SIMILAR_SIZE * Math.max(last.size, line.size)) return false;
  if (last.bold !== line.bold && (last.bold || isFinished(last))) return false;
  const gap = last.baseline - line.baseline;
  const isBeside = !line.mono && (line.left > last.right || line.right < last.left);
  // Formulas and raised marks push lines apart.
  const isMidSentence = !isFinished(last) && (/^\p{Ll}/u.test(line.text) || fillsLine(last, line, right));
  const widest = leading * line.size * (isMidSentence ? SENTENCE_GAP : PARAGRAPH_GAP);
  return gap > 0.3 * line.size && gap <= widest && !isBeside;
}

/** Chinese and Japanese are set with more space between lines, and break anywhere. */
function fillsLine(last: Line, line: Line, right: number): boolean {
  const isDense = isUnspaced(last.text.at(-1) ?? '') && isUnspaced(line.text.charAt(0));
  const isLong = last.right - last.left > FULL_LENGTH * last.size;
  return isDense && isLong && last.right > right - 1.5 * last.size && line.left < last.left + 0.5 * last.size;
}

/** The median distance of full lines from the next, as a factor of their size. */
function usualLeading(lines: readonly Line[]): number {
  const right = rightEdge(lines);
  const gaps: number[] = [];
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (!above || above.right < right - FULL_WITHIN * (above.right - above.left)) continue;
    const gap = (above.baseline - line.baseline) / line.size;
    if (gap > 0.8 && gap < 3) gaps.push(gap);
  }
  const leading = median(gaps) ?? USUAL_LEADING;
  // A few wide gaps are those between paragraphs of one line.
  return leading > WIDE_LEADING && gaps.length < 3 ? USUAL_LEADING : leading;
}

function continues(paragraph: Paragraph, line: Line, right: number): boolean {
  const last = paragraph.at(-1);
  const first = paragraph[0];
  if (!last || !first || isTocEntry(paragraph)) return false;
  if (line.mono) return true;
  if (isListItem([line]) && startsItem(paragraph, line, right)) return false;
  if (isListItem(paragraph) && leavesItem(first, last, line)) return false;
  if (isListItem(paragraph) && isBelowText(first, line)) return true;
  const isShort = last.right < right - SHORT_BY * line.size;
  const isIndented = line.left > last.left + 0.8 * line.size && line.left > first.left - line.size;
  return !(isFinished(last) && (isShort || (isIndented && paragraph.length > 1)));
}

/** A number at the beginning of a line may also be one of its sentence. */
function startsItem(paragraph: Paragraph, line: Line, right: number): boolean {
  const last = paragraph.at(-1) ?? line;
  const isAt = (left: number) => Math.abs(line.left - left) < 0.5 * line.size;
  if (BULLET.test(line.text) || !isAt(last.left) || /[.!?:;。！？：；]$/.test(last.text)) return true;
  return endsOnPurpose(last, line, right) || (isListItem(paragraph) && isAt(paragraph[0]?.left ?? 0));
}

function isBelowText(first: Line, line: Line): boolean {
  return first.textLeft > first.left + line.size / 2 && Math.abs(line.left - first.textLeft) < line.size / 2;
}

/** Back at the margin, after lines that were set in below the item's text. */
function leavesItem(first: Line, last: Line, line: Line): boolean {
  const isHanging = last === first ? first.textLeft > first.left : last.left > first.left + 0.5 * line.size;
  return isHanging && line.left < first.left + 0.3 * line.size && (last !== first || isFinished(last));
}

/** The next line's first word would have found room. */
function endsOnPurpose(above: Line, line: Line, right: number): boolean {
  if (/^\p{Ll}/u.test(line.text) || isUnspaced(line.text.charAt(0)) || /[-\u00ad]$/.test(above.text))
    return false;
  const word = /^\S+/.exec(line.text)?.[0] ?? '';
  const width = ((line.right - line.left) * (word.length + 1)) / Math.max(1, line.text.length);
  return above.right + width + line.size < right;
}

/** Of turned text it may be negative. */
const rightEdge = (lines: readonly Line[]) =>
  lines.reduce((most, line) => Math.max(most, line.right), -Infinity);

const isFinished = (line: Line) => SENTENCE_END.test(line.text);
