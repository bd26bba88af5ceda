export interface Page {
  number: number;
  markdown: string;
}

/** Pages as one text. */
export interface JoinedPages {
  text: string;
  /** Stretches that blocks stay within: a page, or several whose paragraphs run on; in order, non-empty. */
  stretches: { start: number; end: number }[];
  /** Page number by offset; offsets must not fall from one call to the next. */
  pageAt: (offset: number) => number;
}

const PAGE_BREAK = '\n\n';
const RUN_ON = '\n';
/** A shorter last line is a title or a caption rather than a paragraph that goes on. */
const MIN_OPEN_LINE = 40;
const MIN_OPEN_LINE_HAN = 15;

/**
 * Joins pages by a blank line, or by a line break where a paragraph runs on: the page ends in a long line
 * without closing punctuation and the next one begins in lower case or, after Han, with Han.
 */
export function joinPages(pages: readonly Page[]): JoinedPages {
  const parts: string[] = [];
  const starts: number[] = [];
  const stretches: { start: number; end: number }[] = [];
  let length = 0;
  let previous = '';
  for (const { markdown } of pages) {
    const joint = parts.length === 0 ? '' : runsOn(previous, markdown) ? RUN_ON : PAGE_BREAK;
    const start = length + joint.length;
    const end = start + markdown.length;
    const open = stretches.at(-1);
    if (joint === RUN_ON && open) open.end = end;
    else stretches.push({ start, end });
    parts.push(joint, markdown);
    starts.push(start);
    length = end;
    previous = markdown;
  }
  return { text: parts.join(''), stretches, pageAt: pageFinder(pages, starts) };
}

function runsOn(before: string, after: string): boolean {
  const tail = before.slice(-400).trimEnd();
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  const head = after.slice(0, 400).trimStart();
  if (/^\s*(?:[|#>]|[-*+] |```)/.test(line)) return false;
  if (/\p{Script=Han}$/u.test(line)) return line.length >= MIN_OPEN_LINE_HAN && /^\p{Script=Han}/u.test(head);
  return line.length >= MIN_OPEN_LINE && /[\p{L}\p{N},;–—-]$/u.test(line) && /^\p{Ll}/u.test(head);
}

function pageFinder(pages: readonly Page[], starts: number[]): (offset: number) => number {
  let index = 0;
  return (offset) => {
    while ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= offset) index++;
    return pages[index]?.number ?? 1;
  };
}
