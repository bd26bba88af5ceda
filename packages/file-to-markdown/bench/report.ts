import { balanced, FAILED, type Score } from './score.js';

/** How each parser did on a file. */
export interface FileResult {
  file: string;
  format: string;
  parsers: Map<string, { score: Score; seconds: number; error?: string }>;
}

/** The parser that the others are compared with. */
export const OWN = 'Lectern';

interface Row {
  format: string;
  files: number;
  parser: string;
  failed: number;
  recall: number;
  precision: number;
  f1: number;
  seconds: number;
}

/** A row for each format and parser; scores are means over files, in which a failure counts 0. */
export function summarize(results: FileResult[]): Row[] {
  const rows: Row[] = [];
  for (const format of new Set(results.map(({ format }) => format))) {
    const ofFormat = results.filter((result) => result.format === format);
    for (const parser of ofFormat[0]?.parsers.keys() ?? []) {
      const found = ofFormat.flatMap(({ parsers }) => parsers.get(parser) ?? []);
      const mean = (of: (score: Score) => number) =>
        found.reduce((sum, { score }) => sum + of(score), 0) / found.length;
      rows.push({
        format,
        files: found.length,
        parser,
        failed: found.filter(({ error }) => error !== undefined).length,
        recall: mean(({ recall }) => recall),
        precision: mean(({ precision }) => precision),
        f1: mean(balanced),
        seconds: found.reduce((sum, { seconds }) => sum + seconds, 0),
      });
    }
  }
  return rows;
}

export function describeSummary(rows: Row[]): string {
  const lines = [
    '| format | files | parser | failed | recall | precision | F1 | processor s | / own |',
    '|---|---:|---|---:|---:|---:|---:|---:|---:|',
  ];
  for (const row of rows) {
    const own = rows.find(({ format, parser }) => format === row.format && parser === OWN);
    const scores = [row.recall, row.precision, row.f1].map((score) => score.toFixed(3)).join(' | ');
    const ratio = own && own.seconds > 0 ? (row.seconds / own.seconds).toFixed(1) : '';
    lines.push(
      `| ${row.format} | ${row.files} | ${row.parser} | ${row.failed} | ${scores} | ${row.seconds.toFixed(1)} | ${ratio} |`,
    );
  }
  return lines.join('\n');
}

/** Where the own parser is furthest behind the best other one, and where it fails. */
export function describeWorst(results: FileResult[], count: number): string {
  const lines: string[] = [];
  for (const format of new Set(results.map(({ format }) => format))) {
    const behind = results
      .filter((result) => result.format === format)
      .map((result) => ({ result, ...compare(result) }))
      .filter(({ gap }) => gap > 0.005)
      .sort((a, b) => b.gap - a.gap)
      .slice(0, count);
    if (behind.length > 0) lines.push(`\n${format}, recall and precision beside the best other's:`);
    for (const { result, own, best, parser } of behind) {
      const error = result.parsers.get(OWN)?.error;
      lines.push(
        `- ${describe(own)}, ${parser} ${describe(best)}: ${result.file}${error ? ` (${error})` : ''}`,
      );
    }
  }
  return lines.join('\n');
}

function compare({ parsers }: FileResult): { own: Score; best: Score; parser: string; gap: number } {
  const own = parsers.get(OWN)?.score ?? FAILED;
  let [parser, best] = ['', FAILED];
  for (const [name, { score }] of parsers) {
    if (name !== OWN && balanced(score) > balanced(best)) [parser, best] = [name, score];
  }
  return { own, best, parser, gap: balanced(best) - balanced(own) };
}

function describe({ recall, precision }: Score): string {
  return `${recall.toFixed(3)} ${precision.toFixed(3)}`;
}
