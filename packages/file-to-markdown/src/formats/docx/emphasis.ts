/** Text in one format. */
export interface Segment {
  text: string;
  isBold: boolean;
  isItalic: boolean;
}

interface Range {
  start: number;
  end: number;
}

interface Style {
  delimiter: string;
  /** Whether a delimiter may stand between two characters. */
  opens(before: string | undefined, after: string): boolean;
}

const PAGE_MARKS = '\ufdd0-\ufdd3';
const SEPARATORS = new RegExp(`([\\n${PAGE_MARKS}])`);
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Written without blanks, so that emphasis may begin between any two of them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Would become a part of the delimiter, or take its meaning. */
const DELIMITER = /[*_\\]/;

/**
 * CommonMark's rules for flanking delimiters; and none stands inside of a word, which a search would take for two.
 * An underscore may moreover not stand beside a letter outside of the emphasis.
 */
const BOLD: Style = {
  delimiter: '**',
  opens: (before, after) =>
    mayStand(after) &&
    (isEdge(before) || (!PUNCTUATION.test(after) && (UNSPACED.test(before) || UNSPACED.test(after)))),
};
const ITALIC: Style = { delimiter: '_', opens: (before, after) => mayStand(after) && isEdge(before) };

/** The text of segments without their formats. */
export function plainText(segments: readonly Segment[]): string {
  return tidy(segments.map(({ text }) => text).join(''));
}

/** Markdown with bold text and italics, line by line: emphasis over the end of a line is none for many readers. */
export function withEmphasis(segments: readonly Segment[]): string {
  if (!segments.some(({ isBold, isItalic }) => isBold || isItalic)) return plainText(segments);
  let markdown = '';
  let line: Segment[] = [];
  for (const segment of segments) {
    for (const part of segment.text.split(SEPARATORS)) {
      if (!SEPARATORS.test(part)) {
        line.push({ ...segment, text: part });
        continue;
      }
      markdown += emphasizeLine(line) + part;
      line = [];
    }
  }
  return tidy(markdown + emphasizeLine(line));
}

function emphasizeLine(segments: readonly Segment[]): string {
  const characters: string[] = [];
  const bold: boolean[] = [];
  const italic: boolean[] = [];
  for (const { text, isBold, isItalic } of segments) {
    for (const character of text) {
      // A blank has no format that shows.
      const isBlank = /\s/.test(character) && characters.length > 0;
      characters.push(character);
      bold.push(isBlank ? (bold.at(-1) as boolean) : isBold);
      italic.push(isBlank ? (italic.at(-1) as boolean) : isItalic);
    }
  }
  const strong = rangesOf(bold, characters, BOLD);
  const cuts = new Set(strong.flatMap(({ start, end }) => [start, end]));
  const slanted = rangesOf(italic, characters, ITALIC, cuts);
  if (strong.length === 0 && slanted.length === 0) return characters.join('');
  const before = characters.map(() => '');
  const after = characters.map(() => '');
  for (const { start, end } of strong) {
    before[start] += BOLD.delimiter;
    after[end - 1] = BOLD.delimiter;
  }
  for (const { start, end } of slanted) {
    before[start] += ITALIC.delimiter;
    after[end - 1] = ITALIC.delimiter + after[end - 1];
  }
  return characters.map((character, index) => `${before[index]}${character}${after[index]}`).join('');
}

/** Where a format goes on, cut at some places, each as far as delimiters may stand around it. */
function rangesOf(marked: boolean[], text: string[], style: Style, cuts = new Set<number>()): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (let index = 0; index <= marked.length; index++) {
    if (marked[index] && !cuts.has(index)) continue;
    const range = shrink({ start, end: index }, text, style);
    if (range) ranges.push(range);
    start = marked[index] ? index : index + 1;
  }
  return ranges;
}

function shrink({ start, end }: Range, text: string[], style: Style): Range | undefined {
  let first = start;
  while (first < end && !style.opens(text[first - 1], text[first] as string)) first++;
  let last = end;
  while (last > first && !style.opens(text[last], text[last - 1] as string)) last--;
  for (let index = first; index < last; index++) {
    if (LETTER.test(text[index] as string)) return { start: first, end: last };
  }
  return undefined;
}

function mayStand(inside: string): boolean {
  return !/\s/.test(inside) && !DELIMITER.test(inside);
}

function isEdge(outside: string | undefined): outside is undefined {
  return outside === undefined || /\s/.test(outside) || PUNCTUATION.test(outside);
}

/** Blanks are one, none stand at the edges of lines, and two line breaks end a paragraph. */
function tidy(text: string): string {
  return text
    .replace(/[ \t]+/g, ' ')
    .replace(/(?<=\n) |(?<! ) (?=\n)/g, '')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}
