/** From the least likely inside a field to the most. */
const DELIMITERS = ['\t', ';', '|', ','];
const LINES = 50;

/** The delimiter that gives the same number of fields, two or more, in most of the first lines. */
export function findDelimiter(sample: string, isTsv = false): string {
  const lines = sample
    .replace(/"[^"]*"/g, '')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim())
    .slice(0, LINES);
  if (isTsv && lines.some((line) => line.includes('\t'))) return '\t';
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: evenness(lines, delimiter) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.delimiter : ',';
}

/** In how many lines the most common number of fields is found. */
function evenness(lines: string[], delimiter: string): number {
  const counts = new Map<number, number>();
  for (const line of lines) {
    const fields = line.split(delimiter).length;
    if (fields > 1) counts.set(fields, (counts.get(fields) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
