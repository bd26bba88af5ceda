import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const STAGES = ['parse', 'split', 'languages', 'keywords', 'terms', 'all but parse'] as const;
/** CPU milliseconds of each. */
export type Stages = Record<(typeof STAGES)[number], number>;

type Modules = typeof import('../../src/ingestion/chunking/keywords/keywords.js') &
  typeof import('../../src/ingestion/chunking/languages/languages.js') &
  typeof import('../../src/ingestion/chunking/split/split.js') &
  typeof import('@lectern/file-to-markdown') &
  typeof import('../../src/search/indexing/chunk-terms.js');

const MODULES = [
  'ingestion/chunking/keywords/keywords.js',
  'ingestion/chunking/languages/languages.js',
  'ingestion/chunking/split/split.js',
  'search/indexing/chunk-terms.js',
];
const SAMPLES = 2_000;
const LANGUAGE_SAMPLES = 40;

/** @returns what measures a file with the build whose modules are in `folder` */
export async function loadStages(folder: URL): Promise<(file: string) => Promise<Stages>> {
  // That of the checkout whose build it is.
  const readers = createRequire(new URL('package.json', folder)).resolve('@lectern/file-to-markdown');
  const files = [...MODULES.map((module) => new URL(module, folder).href), pathToFileURL(readers).href];
  const loaded = await Promise.all(files.map((file) => import(file)));
  const modules = Object.assign({}, ...loaded) as Modules;
  return (file) => runStages(modules, file);
}

async function runStages(modules: Modules, file: string): Promise<Stages> {
  const pages = await timed(async () => {
    const source = await modules.sourceFromFile(file);
    const parsed = await modules.parse({ source, fileName: path.basename(file) });
    return collect(parsed.pages);
  });
  const pieces = await timed(() => collect(modules.splitPages(pages.result)));
  const texts = pieces.result.map(({ text }) => text);
  const languages = await timed(() => {
    const step = Math.max(1, Math.ceil(texts.length / LANGUAGE_SAMPLES));
    const common = modules.detectCommonLanguages(texts.filter((_, index) => index % step === 0));
    for (const text of texts) modules.detectLanguages(text, common);
    return common;
  });
  const keywords = await timed(() => {
    const found = new modules.DocumentKeywords(texts.slice(0, SAMPLES), languages.result);
    return texts.map((text) => found.of(text));
  });
  const terms = await timed(() => {
    for (const [index, { text, headings }] of pieces.result.entries())
      modules.analyzeChunk({
        content: text,
        contentComplement: headings.join(' > '),
        keywords: keywords.result[index] ?? {},
      });
  });
  return {
    parse: pages.ms,
    split: pieces.ms,
    languages: languages.ms,
    keywords: keywords.ms,
    terms: terms.ms,
    'all but parse': pieces.ms + languages.ms + keywords.ms + terms.ms,
  };
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; ms: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

async function collect<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
