import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../../config/config.js';
import type { Judgements } from '../../services/evaluations/measures.js';

/** A retrieval test collection: documents, queries, and which documents were judged relevant to which query. */
export interface Collection {
  name: string;
  documents: { id: string; title: string; text: string }[];
  /** The judged ones only. */
  queries: { id: string; text: string }[];
  judgements: Judgements;
  /** What its maker says, if anything. */
  language: string | undefined;
}

/**
 * @param nameOrFolder a folder, or the name of one in EVAL_COLLECTIONS
 * @throws ConfigError where it is not there or cannot be read
 */
export async function readCollection(nameOrFolder: string): Promise<Collection> {
  const folder = await findFolder(nameOrFolder);
  try {
    const [corpus, queries, judgements, about] = await Promise.all([
      readJsonLines(path.join(folder, 'corpus.jsonl')),
      readJsonLines(path.join(folder, 'queries.jsonl')),
      readJudgements(path.join(folder, 'qrels.tsv')),
      readFile(path.join(folder, 'about.json'), 'utf8').catch(() => '{}'),
    ]);
    return {
      name: path.basename(folder),
      documents: corpus.map(({ _id, title = '', text = '' }) => ({ id: _id, title, text })),
      queries: queries
        .filter(({ _id }) => judgements.has(_id))
        .map(({ _id, text = '' }) => ({ id: _id, text })),
      judgements,
      language: JSON.parse(about).language,
    };
  } catch (error) {
    throw new ConfigError(`${folder} is no collection in BEIR's layout: ${(error as Error).message}`);
  }
}

/** What its maker says, or else Chinese when at least half of the queries hold Chinese characters. */
export function languageOf({ language, queries }: Collection): 'english' | 'chinese' {
  if (language === 'english' || language === 'chinese') return language;
  const chinese = queries.filter(({ text }) => /\p{Script=Han}/u.test(text)).length;
  return chinese * 2 >= queries.length ? 'chinese' : 'english';
}

async function findFolder(nameOrFolder: string): Promise<string> {
  const shared = process.env.EVAL_COLLECTIONS || path.join('..', 'shared', 'retrieval');
  const places = [path.resolve(nameOrFolder), path.resolve(shared, nameOrFolder)];
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isDirectory()) return place;
  }
  throw new ConfigError(
    `There is no folder ${places.join(' or ')}. Give the path of a collection, or set EVAL_COLLECTIONS.`,
  );
}

async function readJsonLines(file: string): Promise<{ _id: string; title?: string; text?: string }[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** Below a header line: query, document, grade. What is judged irrelevant is left out. */
async function readJudgements(file: string): Promise<Judgements> {
  const judgements: Judgements = new Map();
  for (const line of (await readFile(file, 'utf8')).split(/\r?\n/).slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (query === undefined || document === undefined || !(Number(grade) > 0)) continue;
    const grades = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, grades.set(document, Number(grade)));
  }
  return judgements;
}
