import type { Collection } from './collection.js';
import type { Loaded } from './load.js';
import type { ScoredDocument } from './precision.js';
import { type Hit, search } from './requests.js';

const TOP_K = 30;

/** Searches for every query, one after another, and notes how long each search took. */
export async function runQueries(
  address: string,
  { name, queries }: Collection,
  { tenantId, names }: Loaded,
  language: 'english' | 'chinese',
  log: (line: string) => void,
): Promise<{ run: Map<string, ScoredDocument[]>; milliseconds: number[] }> {
  log(`${name}: searching for ${queries.length} queries in ${language}`);
  const run = new Map<string, ScoredDocument[]>();
  const milliseconds: number[] = [];
  for (const { id, text } of queries) {
    const begin = performance.now();
    const hits = await search(address, { tenantId, query: text, language, topK: TOP_K });
    milliseconds.push(performance.now() - begin);
    run.set(
      id,
      bestDocuments(hits).flatMap(({ document_id, score }) => {
        const document = names.get(document_id);
        return document === undefined ? [] : [{ document, score }];
      }),
    );
  }
  return { run, milliseconds };
}

/** A document stands where its best chunk does. */
function bestDocuments(hits: Hit[]): Hit[] {
  const ranked = hits.toSorted((a, b) => b.score - a.score);
  return ranked.filter(
    ({ document_id }, i) => ranked.findIndex((hit) => hit.document_id === document_id) === i,
  );
}
