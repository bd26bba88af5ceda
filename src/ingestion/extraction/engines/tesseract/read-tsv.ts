import { setImmediate } from 'node:timers/promises';

export interface RecognizedPage {
  /** A line for each of the page; an empty one between paragraphs. */
  text: string;
  /** Of its words on average, from 0 to 100; 0 where there are none. */
  confidence: number;
  words: number;
}

/** A paragraph of less is a drawing that was taken for letters. */
const MIN_CONFIDENCE = 30;
const WORD = '5';
const ROWS_PER_TICK = 2_000;

interface Paragraph {
  key: string;
  lines: Map<string, string[]>;
  confidences: number[];
}

/** The table that Tesseract writes of a page: a row for each word, with its block, paragraph and line. */
export async function readTsv(tsv: string): Promise<RecognizedPage> {
  const paragraphs: Paragraph[] = [];
  let rows = 0;
  for (const row of tsv.split('\n')) {
    if (++rows % ROWS_PER_TICK === 0) await setImmediate();
    const [level, , block, paragraph, line, , , , , , confidence, word = ''] = row.split('\t');
    if (level !== WORD || word.trim() === '') continue;
    const key = `${block} ${paragraph}`;
    let last = paragraphs.at(-1);
    if (last?.key !== key) {
      last = { key, lines: new Map(), confidences: [] };
      paragraphs.push(last);
    }
    const words = last.lines.get(line ?? '');
    if (words) words.push(word.trim());
    else last.lines.set(line ?? '', [word.trim()]);
    last.confidences.push(Number(confidence) || 0);
  }
  const kept = paragraphs.filter(({ confidences }) => mean(confidences) >= MIN_CONFIDENCE);
  const confidences = kept.flatMap((paragraph) => paragraph.confidences);
  const text = kept
    .map(({ lines }) => [...lines.values()].map((words) => words.join(' ')).join('\n'))
    .join('\n\n');
  return { text, confidence: mean(confidences), words: confidences.length };
}

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
