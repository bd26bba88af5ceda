/** For each query the grades of its relevant documents, all above zero. */
export type Judgements = Map<string, Map<string, number>>;

export interface Measures {
  recallAt5: number;
  recallAt10: number;
  ndcgAt10: number;
  mrrAt10: number;
}

/**
 * The mean of each measure over all judged queries, by the conventions of trec_eval: a query without an answer counts
 * as zero, and the gain of a document is its grade.
 *
 * @param run for each query the documents found, best first
 */
export function evaluate(judgements: Judgements, run: Map<string, string[]>): Measures {
  const scores = [...judgements].map(([query, grades]) => measureRanking(grades, run.get(query) ?? []));
  const mean = (of: keyof Measures) =>
    scores.reduce((total, score) => total + score[of], 0) / Math.max(1, scores.length);
  return {
    recallAt5: mean('recallAt5'),
    recallAt10: mean('recallAt10'),
    ndcgAt10: mean('ndcgAt10'),
    mrrAt10: mean('mrrAt10'),
  };
}

/** The measures of one query. A document that is named again is passed over. */
export function measureRanking(grades: Map<string, number>, ranking: string[]): Measures {
  const top = [...new Set(ranking)].slice(0, 10);
  const isRelevant = (document: string) => grades.has(document);
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, 10);
  const first = top.findIndex(isRelevant);
  return {
    recallAt5: top.slice(0, 5).filter(isRelevant).length / grades.size,
    recallAt10: top.filter(isRelevant).length / grades.size,
    ndcgAt10: discountedGain(top.map((document) => grades.get(document) ?? 0)) / discountedGain(ideal),
    mrrAt10: first < 0 ? 0 : 1 / (first + 1),
  };
}

const discountedGain = (gains: number[]) =>
  gains.reduce((total, gain, i) => total + gain / Math.log2(i + 2), 0);
