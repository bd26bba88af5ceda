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
  return {
    /** The next texts are not before this line. */
    skipTo(line: number): void {
      at = Math.max(at, lineStarts[line] ?? 0);
    },
    find(text: string): number {
      const found = source.slice(at, at + text.length + WINDOW).indexOf(text);
      if (found < 0) return at;
      const start = at + found;
      at = start + text.length;
      return start;
    },
  };
}
