/** Characters after which a part ends at the next paragraph. */
const SIZE = 2 ** 19;
/** Characters after which a stretch ends at the end of a line, even within code. */
const MAX_SIZE = 8 * SIZE;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;

/**
 * Splits text into parts that end between paragraphs, before a heading if there is one in the second half,
 * and not in fenced code: never more than some megabytes at a time, whatever the size of the whole.
 */
export async function* splitAtParagraphs(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  let enough = SIZE;
  for await (const text of texts) {
    pending += text;
    while (pending.length >= enough) {
      const end = stretchEnd(pending);
      if (end === 0) {
        enough *= 2;
      } else {
        yield pending.slice(0, end);
        pending = pending.slice(end);
        enough = SIZE;
      }
    }
  }
  if (pending) yield pending;
}

/** Where the first stretch of a text ends; 0 when that cannot be told before there is more of it. */
function stretchEnd(text: string): number {
  const { beforeHeading, betweenParagraphs } = goodEnds(text);
  if (beforeHeading > text.length / 2) return beforeHeading;
  if (betweenParagraphs > 0) return betweenParagraphs;
  if (text.length < MAX_SIZE) return 0;
  return text.lastIndexOf('\n') + 1 || text.lastIndexOf(' ') + 1 || wholeCharacters(text);
}

/** The last places outside code that follow an empty line, or 0. */
function goodEnds(text: string): { beforeHeading: number; betweenParagraphs: number } {
  const ends = { beforeHeading: 0, betweenParagraphs: 0 };
  let fence: string | undefined;
  let isAfterBlank = false;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + 300));
    const mark = FENCE.exec(line)?.[1];
    if (isAfterBlank && !fence && line.trim()) {
      ends.betweenParagraphs = start;
      if (HEADING.test(line)) ends.beforeHeading = start;
    }
    if (mark && !fence) fence = mark;
    else if (fence && mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    isAfterBlank = !line.trim();
    start = end + 1;
  }
  return ends;
}

function wholeCharacters(text: string): number {
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
