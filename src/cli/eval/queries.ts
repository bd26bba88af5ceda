import type { Collection } from './collection.js';
import type { Loaded } from './load.js';
import type { ScoredDocument } from './precision.js';
import { type Hit, search, suggest } from './requests.js';

const TOP_K = 30;

/**
 * Searches for every query, one after another, and notes how long each search took.
 *
 * @param typed percent of each query's characters that are typed so far: below 100, suggestions for these are asked for
 */
export async function runQueries(
  address: string,
  { name, queries }: Collection,
  { tenantId, names }: Loaded,
  { language, typed }: { language: 'english' | 'chinese'; typed: number },
  log: (line: string) => void,
): Promise<{ run: Map<string, ScoredDocument[]>; milliseconds: number[] }> {
  log(
    `${name}: searching for ${queries.length} queries in ${language}${typed < 100 ? `, ${typed} % typed` : ''}`,
  );
  const run = new Map<string, ScoredDocument[]>();
  const milliseconds: number[] = [];
  for (const { id, text } of queries) {
    const begin = performance.now();
    const asked = { tenantId, query: beginningOf(text, typed), language, topK: TOP_K };
    const hits = await (typed < 100 ? suggest : search)(address, asked);
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

function beginningOf(text: string, percent: number): string {
  const characters = [...text.trim()];
  return characters.slice(0, Math.ceil((characters.length * percent) / 100)).join('');
}

/** A document stands where its best chunk does. */
function bestDocuments(hits: Hit[]): Hit[] {
  const ranked = hits.toSorted((a, b) => b.score - a.score);
  return ranked.filter(
    ({ document_id }, i) => ranked.findIndex((hit) => hit.document_id === document_id) === i,
  );
}
