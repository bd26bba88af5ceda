/** So far behind the last text, the next one is looked for: markup and addresses stand between. */
const WINDOW = 2_000;

/**
 * Finds the texts of a document again in its source, as the parser tells of blocks alone where they are. They come in order. One
 * that is not there as it is, such as one with an entity, is where the one before ended.
 */
export function createTextPlaces(source: string) {
  const lineStarts = [
    0,
    ...Array.from(source.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length),
  ];
  let at = 0;
  let end = source.length;
  return {
    /** The next texts are in these lines; the last one is not. */
    skipTo(line: number, endLine: number): void {
      at = Math.max(at, lineStarts[line] ?? 0);
      end = lineStarts[endLine] ?? source.length;
    },
    find(text: string): number {
      const found = source.slice(at, Math.min(end, at + text.length + WINDOW)).indexOf(text);
      if (found < 0) return at;
      const start = at + found;
      at = start + text.length;
      return start;
    },
  };
}
