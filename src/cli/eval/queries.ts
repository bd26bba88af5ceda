import type { Collection } from './collection.js';
import type { Loaded } from './load.js';
import { type Hit, search } from './requests.js';

const TOP_K = 30;

/** Searches for every query, one after another, and notes how long each search took. */
export async function runQueries(
  address: string,
  { name, queries }: Collection,
  { tenantId, names }: Loaded,
  language: 'english' | 'chinese',
  log: (line: string) => void,
): Promise<{ run: Map<string, string[]>; milliseconds: number[] }> {
  log(`${name}: searching for ${queries.length} queries in ${language}`);
  const run = new Map<string, string[]>();
  const milliseconds: number[] = [];
  for (const { id, text } of queries) {
    const begin = performance.now();
    const hits = await search(address, { tenantId, query: text, language, topK: TOP_K });
    milliseconds.push(performance.now() - begin);
    run.set(
      id,
      bestDocuments(hits).flatMap((document) => names.get(document) ?? []),
    );
  }
  return { run, milliseconds };
}

/** A document stands where its best chunk does. */
function bestDocuments(hits: Hit[]): string[] {
  const ranked = hits.toSorted((a, b) => b.score - a.score);
  return [...new Set(ranked.map((hit) => hit.document_id))];
}
