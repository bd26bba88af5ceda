/** Longer names are cut, or they would outweigh the values. */
const MAX_NAME = 200;

/** The names of columns as rows are given them: cut once, not for each row. */
export function columnLabels(head: readonly string[]): string[] {
  return head.map((name) => shorten(onOneLine(name)));
}

/**
 * A row as lines of `column: value`, without its empty cells. Each part is at most `size` characters long if its
 * values let it, and begins with the first line, which tells whose values these are.
 */
export function* rowToLines(
  labels: readonly string[],
  row: readonly string[],
  size: number,
): Generator<string> {
  const lines = row.map((value, index) => lineOf(labels[index] ?? '', value)).filter(Boolean);
  const [first = '', ...others] = lines;
  const title = shorten(first);
  let part = [first];
  let length = first.length;
  for (const line of others) {
    if (length + line.length >= size && part.length > 1) {
      yield part.join('\n');
      part = [title];
      length = title.length;
    }
    part.push(line);
    length += line.length + 1;
  }
  if (first) yield part.join('\n');
}

function lineOf(label: string, value: string): string {
  // Most cells of a wide sheet may be empty.
  const text = value && onOneLine(value);
  return text && label ? `${label}: ${text}` : text;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shorten(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1).toWellFormed()}…` : text;
}
