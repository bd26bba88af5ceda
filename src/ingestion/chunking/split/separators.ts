/** Where a separator cuts: what lies in `[mark, end)` ends the part before, and is no Markdown of it. */
export interface SeparatorMatch {
  mark: number;
  end: number;
}

const RULE = /^[-=*_~#+]{3,}$/;

/**
 * The places in `text[start, end)` at which a separator cuts, in order. One that begins with a line break begins
 * the next part (`\n## `), any other ends the one before (`。`). Three or more marks such as `---` count only as
 * a line of their own: inside a table or a sentence they mean something else.
 */
export function* findSeparators(
  separator: string,
  text: string,
  start: number,
  end: number,
): Generator<SeparatorMatch> {
  if (RULE.test(separator.trim())) yield* linesOf(separator.trim(), text, start, end);
  else {
    const isOpening = separator.startsWith('\n');
    let found = text.indexOf(separator, start);
    while (found !== -1 && found + separator.length <= end) {
      const at = isOpening ? found : found + separator.length;
      yield { mark: at, end: at };
      found = text.indexOf(separator, found + separator.length);
    }
  }
}

function* linesOf(rule: string, text: string, start: number, end: number): Generator<SeparatorMatch> {
  let found = text.indexOf(rule, start);
  while (found !== -1 && found < end) {
    const lineStart = Math.max(start, text.lastIndexOf('\n', found) + 1);
    const newline = text.indexOf('\n', found);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    if (text.slice(lineStart, lineEnd).trim() === rule) yield { mark: lineStart, end: lineEnd };
    found = text.indexOf(rule, lineEnd);
  }
}
