/** What text recognition finds on pages whose text is known. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { recognizedText } from '@lectern/file-to-markdown';
import { readCollection } from '../../src/cli/eval/collection.js';
import { openEngine } from '../../src/compose/extraction.js';
import { readConfig } from '../../src/config/config.js';
import { findTesseract } from '../../src/ingestion/extraction/engines/tesseract/find-tesseract.js';
import { createTesseractEngine } from '../../src/ingestion/extraction/engines/tesseract/tesseract.js';
import type { ExtractionEngine } from '../../src/ingestion/extraction/extraction-engine.js';
import { decodePicture, preparePicture } from '../../src/ingestion/extraction/pictures/prepare-picture.js';
import { readProcessUsage } from '../../src/ingestion/sandbox/process-usage.js';
import { childrenOf } from '../../test/chaos/topology/children.js';
import { readOptions } from '../support/read-options.js';
import { type RenderedPage, renderPages } from './render-pages.js';

const USAGE = `Usage: npm run bench -- scans [--pages N] [--json]

Renders pages of two test collections by Chromium, English and Chinese, at 150 and 300 dpi, some askew by two degrees and some
with noise. Tesseract reads each as it is and as it is prepared for engines, and so does the engine that EXTRACTION_API and the
other variables of extraction name, if they do. Prints recall and precision of the words, seconds for each page, and the most
memory that a process of Tesseract took.

  --pages N  default 30
  --json     print JSON

Needs Chromium, Tesseract and its models eng and chi_sim. Status 0 when all was read, 1 after a failure, 2 when called wrongly.`;

/** Characters on a page. */
const LENGTHS = { en: 2_400, zh: 1_000 };
const COLLECTIONS = { en: 'scifact', zh: 'xquad-zh' } as const;
const WAYS = { raw: 'as it is', prepared: 'prepared', other: 'other engine' } as const;
const MEASURES = ['recall', 'precision', 'seconds'] as const;
const WORD = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{N}])+/gu;

interface Result {
  page: Omit<RenderedPage, 'png' | 'text'>;
  raw: Score;
  prepared: Score;
  /** Of the engine that is configured. */
  other?: Score;
}

interface Score {
  recall: number;
  precision: number;
  seconds: number;
}

const { pages: count, json } = readOptions(USAGE, { pages: 30 });
const program = await findTesseract();
if (!program) throw new Error('Tesseract is not installed.');
const pages = (await renderPages(await readTexts(Math.ceil(count / 2)))).slice(0, count);
const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-bench-'));
const results: Result[] = [];
const memory = watchMemory();
try {
  const [rawEngine, engine] = [createTesseractEngine(program, []), createTesseractEngine(program, [])];
  const other = await openOther();
  for (const { png, text, ...page } of pages) {
    const raw = await read(rawEngine, text, async () => png);
    const prepare = async () =>
      preparePicture(await decodePicture({ mediaType: 'image/png', bytes: png }, 0));
    const prepared = await read(engine, text, prepare);
    results.push({ page, raw, prepared, ...(other && { other: await read(other, text, prepare) }) });
    if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${pages.length} pages`);
  }
} finally {
  clearInterval(memory.timer);
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : describe());

/** The engine that is configured; undefined where that is Tesseract on this machine. */
async function openOther(): Promise<ExtractionEngine | undefined> {
  const { extraction } = readConfig(process.env);
  return extraction && 'url' in extraction ? openEngine(extraction) : undefined;
}

/** The most memory of a child process, in bytes. */
function watchMemory() {
  const watched = { most: 0, timer: setInterval(watch, 100) };
  return watched;

  async function watch(): Promise<void> {
    for (const child of childrenOf(process.pid, /^tesseract/)) {
      const { residentBytes } = await readProcessUsage(child);
      watched.most = Math.max(watched.most, residentBytes);
    }
  }
}

async function readTexts(many: number): Promise<{ language: 'en' | 'zh'; text: string }[]> {
  const whole = async (language: 'en' | 'zh') => {
    const { documents } = await readCollection(COLLECTIONS[language]);
    return documents.map(({ text }) => text).join('\n');
  };
  const texts = { en: await whole('en'), zh: await whole('zh') };
  return Array.from({ length: many }, (_, index) => {
    const language = index % 2 === 0 ? 'en' : 'zh';
    const start = Math.floor(index / 2) * LENGTHS[language];
    return { language, text: texts[language].slice(start, start + LENGTHS[language]) };
  });
}

async function read(engine: ExtractionEngine, text: string, picture: () => Promise<Buffer>): Promise<Score> {
  const began = performance.now();
  const file = path.join(folder, 'page.png');
  const bytes = await picture();
  await writeFile(file, bytes);
  const request = { path: file, size: bytes.length, mediaType: 'image/png', fileName: 'page.png' };
  const found = await engine.extract(request, AbortSignal.timeout(300_000));
  const seconds = (performance.now() - began) / 1000;
  return { ...score(recognizedText(found.pages.join('\n')), text), seconds };
}

function score(found: string, text: string): Omit<Score, 'seconds'> {
  const [given, known] = [countWords(found), countWords(text)];
  let common = 0;
  for (const [word, times] of given) common += Math.min(times, known.get(word) ?? 0);
  return { recall: common / Math.max(1, total(known)), precision: common / Math.max(1, total(given)) };
}

function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function total(words: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of words.values()) sum += count;
  return sum;
}

function describe(): string {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const { language, dpi, kind } = result.page;
    const name = `${language} ${dpi} dpi ${kind}`;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const ways = (['raw', 'prepared', 'other'] as const).filter((way) =>
    results.every((result) => result[way]),
  );
  const line = (name: string, pages: string, columns: string[]) =>
    `${name.padEnd(20)} ${pages.padStart(5)} ${columns.map((column) => column.padStart(10)).join(' ')}\n`;
  const mean = (group: Result[], way: keyof typeof WAYS, measure: keyof Score) =>
    (group.reduce((sum, result) => sum + (result[way]?.[measure] ?? 0), 0) / group.length).toFixed(3);
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) =>
      line(
        name,
        String(group.length),
        ways.flatMap((way) => MEASURES.map((measure) => mean(group, way, measure))),
      ),
    );
  const head = [
    line(
      '',
      '',
      ways.flatMap((way) => ['', WAYS[way], '']),
    ),
    line(
      '',
      'pages',
      ways.flatMap(() => [...MEASURES]),
    ),
  ];
  return `${[...head, ...rows].join('')}Most memory of a process of Tesseract: ${Math.round(memory.most / 2 ** 20)} MiB\n`;
}
