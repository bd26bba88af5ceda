/** Numbers, times and tables as people read them. */

/** A line of the help of each command that has results. */
export const JSON_OPTION: [name: string, value: string] = [
  '--json',
  'prints one JSON document; messages go to standard error',
];

export const formatCount = (count: number): string => count.toLocaleString('en');

/** "1 chunk", "2,000 chunks". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** `a, b or c`. */
export const formatChoices = (choices: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "340 ms", "3.2 s", "2 min 10 s", "3 h 5 min", "4 d 2 h". */
export function formatSpan(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const formatAge = (time: Date, now: Date): string =>
  formatSpan(Math.max(0, now.getTime() - time.getTime()));

/** Lines of a name and what there is to say, which stands in one column. */
export function formatFields(fields: [name: string, value: string][]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(
      ([name, value]) => `  ${name.padEnd(width)}  ${value.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}\n`,
    )
    .join('');
}

/**
 * Rows under a header, the cells of each column as wide as its widest. Numbers stand to the right. Line breaks and tabs are
 * written as `\n` and `\t`: they would make stored text look like further rows.
 */
export function formatTable(header: string[], rows: string[][]): string {
  const lines = [header, ...rows].map((cells) => cells.map(onOneLine));
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const isNumeric = header.map((_, i) => rows.every((row) => /^([\d,.]+|)$/.test(row[i] ?? '')));
  const pad = (cell: string, i: number) =>
    isNumeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

const onOneLine = (cell: string): string => cell.replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** Text on one line, cut where it is longer than that many characters. */
export function shorten(text: string, length: number): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length <= length ? line.join('') : `${line.slice(0, length - 1).join('')}…`;
}
