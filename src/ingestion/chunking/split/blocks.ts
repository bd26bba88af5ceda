/** A stretch of Markdown that belongs together; offsets into the whole text, `end` exclusive. */
export type Block =
  | { kind: 'heading'; start: number; end: number; level: number; title: string }
  | { kind: 'prose' | 'code'; start: number; end: number }
  | {
      kind: 'table';
      start: number;
      end: number /** End of header and delimiter row; `start` if none. */;
      headEnd: number;
    };

/** What is still open where a stretch of text ends, and goes on in the next if that belongs to it. */
export interface OpenBlock {
  /** The marks of a code fence that is not closed yet. */
  fence?: string | undefined;
}

interface Line {
  start: number;
  end: number;
  next: number;
  text: string;
}

/** Longer lines are no headings, and patterns that look at a whole line only see lines up to this length. */
const MAX_HEADING = 300;
/** Marks of a fence and what it says of the code; a line with more of the same marks is text or an ornament. */
const FENCE = /^\s{0,12}(?:(`{3,})([^`]*)|(~{3,})([^~]*))$/;
/** A bare fence that is not closed within so many lines is none; tildes are the more likely ornament. */
const MAX_BARE_LINES = { tildes: 200, backticks: 2_000 };
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})[ \t]*$/;
const DELIMITER_ROW = /^[\s|:]*-[\s|:-]*$/;

/**
 * Cuts `text[start, end)` into Markdown blocks: ATX and underlined headings, fenced code, pipe tables, and
 * prose up to the next blank line (lists and quotes included). One pass, one line of lookahead.
 *
 * @param open what the text before left open; afterwards, what this one does
 */
export function* scanBlocks(
  text: string,
  start: number,
  end: number,
  open: OpenBlock = {},
): Generator<Block> {
  let line = lineAt(text, start, end);
  if (line && open.fence) {
    const block = codeLines(text, line, end, open.fence, open);
    yield block;
    line = lineAt(text, skipNewline(text, block.end), end);
  }
  while (line) {
    if (isBlank(line)) {
      line = lineAt(text, line.next, end);
      continue;
    }
    const block = headingBlock(line) ?? codeBlock(text, line, end, open) ?? tableBlock(text, line, end);
    const found = block ?? proseBlock(text, line, end);
    yield found;
    line = lineAt(text, skipNewline(text, found.end), end);
  }
}

function headingBlock(line: Line): Block | undefined {
  const match = line.text.length <= MAX_HEADING ? HEADING.exec(line.text) : null;
  if (!match) return undefined;
  const [, marks = '', title = ''] = match;
  return { kind: 'heading', start: line.start, end: line.end, level: marks.length, title: plainTitle(title) };
}

/** Unclosed, a fence that names a language reaches to the end, as in CommonMark; a bare one may be an ornament. */
function codeBlock(text: string, line: Line, end: number, open: OpenBlock): Block | undefined {
  const fence = fenceOf(line);
  if (!fence) return undefined;
  const first = lineAt(text, line.next, end);
  if (fence.isBare && !isClosedSoon(text, first, end, fence.marks)) return undefined;
  const inside = first ? codeLines(text, first, end, fence.marks, open) : line;
  if (!first) open.fence = fence.marks;
  return { kind: 'code', start: line.start, end: inside.end };
}

function codeLines(text: string, first: Line, end: number, marks: string, open: OpenBlock): Block {
  let last = first;
  let isClosed = false;
  for (let next: Line | undefined = first; next && !isClosed; next = lineAt(text, next.next, end)) {
    last = next;
    isClosed = closes(next, marks);
  }
  open.fence = isClosed ? undefined : marks;
  return { kind: 'code', start: first.start, end: last.end };
}

function fenceOf({ text }: Line): { marks: string; isBare: boolean } | undefined {
  const match = text.length <= MAX_HEADING ? FENCE.exec(text) : null;
  const marks = match?.[1] ?? match?.[3];
  return marks ? { marks, isBare: !(match?.[2] ?? match?.[4])?.trim() } : undefined;
}

function closes(line: Line, marks: string): boolean {
  const fence = fenceOf(line);
  return fence?.isBare === true && fence.marks.startsWith(marks);
}

/** Code hardly begins with an empty line; what follows an ornament does. */
function isClosedSoon(text: string, first: Line | undefined, end: number, marks: string): boolean {
  const isTildes = marks.startsWith('~');
  if (!first || (isTildes && isBlank(first))) return false;
  const most = isTildes ? MAX_BARE_LINES.tildes : MAX_BARE_LINES.backticks;
  let line: Line | undefined = first;
  for (let count = 0; line && count < most; count++) {
    if (closes(line, marks)) return true;
    line = lineAt(text, line.next, end);
  }
  return false;
}

function tableBlock(text: string, line: Line, end: number): Block | undefined {
  if (!isRow(line)) return undefined;
  const second = lineAt(text, line.next, end);
  const hasHead = second !== undefined && isRow(second) && DELIMITER_ROW.test(second.text.slice(0, 2000));
  let last = line;
  for (let next = second; next && isRow(next); next = lineAt(text, next.next, end)) last = next;
  return { kind: 'table', start: line.start, end: last.end, headEnd: hasHead ? second.end : line.start };
}

function proseBlock(text: string, line: Line, end: number): Block {
  let last = line;
  for (let next = lineAt(text, line.next, end); next; next = lineAt(text, next.next, end)) {
    if (last === line && isTitle(line, next)) {
      const level = next.text.includes('=') ? 1 : 2;
      return { kind: 'heading', start: line.start, end: next.end, level, title: plainTitle(line.text) };
    }
    if (isBlank(next) || isRow(next) || fenceOf(next) || headingBlock(next)) break;
    last = next;
  }
  return { kind: 'prose', start: line.start, end: last.end };
}

function isTitle(line: Line, underline: Line): boolean {
  return (
    line.text.length <= MAX_HEADING && underline.text.length <= MAX_HEADING && UNDERLINE.test(underline.text)
  );
}

function plainTitle(text: string): string {
  return text
    .trim()
    .replace(/\s#+$/, '')
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1')
    .trim();
}

function isBlank(line: Line): boolean {
  return !/\S/.test(line.text);
}

function isRow(line: Line): boolean {
  return /^ {0,3}\|/.test(line.text);
}

function lineAt(text: string, start: number, end: number): Line | undefined {
  if (start >= end) return undefined;
  const newline = text.indexOf('\n', start);
  const stop = newline === -1 || newline > end ? end : newline;
  return { start, end: stop, next: stop + 1, text: text.slice(start, stop) };
}

function skipNewline(text: string, offset: number): number {
  return text[offset] === '\n' ? offset + 1 : offset;
}
