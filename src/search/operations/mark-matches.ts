import { runYielding } from '../../async/steps.js';
import type { ChunkQuery } from '../chunk-index.js';
import { type Mark, markTermsInSteps } from '../ranking/mark-terms.js';
import { parseQuery } from '../ranking/query-terms.js';

/** Finds where texts have the terms of a query. Other work of the event loop runs in between. */
export async function markMatches(
  query: Pick<ChunkQuery, 'text' | 'language'>,
  texts: string[],
  within?: number,
): Promise<Mark[][]> {
  const terms = new Set(parseQuery(query).terms);
  const marks: Mark[][] = [];
  for (const text of texts) marks.push(await runYielding(markTermsInSteps(terms, text, within)));
  return marks;
}
