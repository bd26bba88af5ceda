import { runYielding } from '../../async/steps.js';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { type FoundWords, readWords } from '../postgres/postings/read-words.js';
import type { CorpusStatistics, QueryTerms } from '../ranking/bm25.js';
import { termOf } from '../ranking/analyze.js';
import { editsOf, findNeighboursInSteps, type Neighbour } from './neighbours.js';
import { type QueryWord, readQueryWords } from './query-words.js';

/** Words of a question that are looked for otherwise. */
const MAX_WORDS = 6;
/** Of one word. */
const MAX_ALTERNATIVES = 3;
/** Of the vocabulary, read for one word. */
const MAX_CHARACTERS = 500_000;
/** A word that is held by this many chunks may be mistyped, too, where a neighbour is held by so many times as many. */
const RARE = 2;
const MUCH_MORE_FREQUENT = 50;
/** A neighbour with two edits is worth what one with one edit is that is so many times as frequent. */
const SECOND_EDIT = 1 / 20;
/** Neighbours that are less frequent by more than that are left out. */
const LEAST_SHARE = 1 / 10;
/** What an alternative weighs, of what it would if it were asked for. */
const SHARES = [1, 0.8, 0.6];
const SHARE_BESIDE_RARE = 0.5;

/** What is searched besides or instead of a word of the question. */
export interface Alternative {
  /** Several where the word is two that were run together. */
  words: string[];
  share: number;
}

export interface MistypedWord extends QueryWord {
  /** The word after it, where the alternatives are for both together. */
  next?: string;
  alternatives: Alternative[];
}

/**
 * Finds the words of a question that no chunk has, or next to none beside a much more frequent neighbour, and how they
 * may have been meant: by the words of the same datasets.
 *
 * @param corpus how many chunks hold the terms of the question
 * @param unmerged words of chunks that are not in segments yet
 */
export async function findAlternatives(
  db: Database,
  query: ChunkQuery,
  { terms }: QueryTerms,
  corpus: CorpusStatistics,
  unmerged: () => FoundWords[],
): Promise<MistypedWord[]> {
  const frequencyOf = (term: string) => corpus.frequencies[terms.indexOf(term)];
  const words = readQueryWords(query.text);
  const doubtful = words.filter(({ word, term }) => editsOf(word) > 0 && (frequencyOf(term) ?? RARE + 1) <= RARE);
  const chosen = doubtful
    .sort((a, b) => (frequencyOf(a.term) ?? 0) - (frequencyOf(b.term) ?? 0))
    .slice(0, MAX_WORDS);
  if (chosen.length === 0) return [];
  const prefixes = chosen.flatMap(({ word }) => prefixesOf(word));
  const blocks = await readWords(db, query, prefixes, MAX_CHARACTERS);
  const further = unmerged();
  const found: MistypedWord[] = [];
  for (const [place, { word, term }] of chosen.entries()) {
    const own = blocks.filter((block) => Math.floor(block.place / PREFIXES) === place);
    const neighbours = await runYielding(findNeighboursInSteps(word, [...own, ...further]));
    const frequency = frequencyOf(term) ?? 0;
    const alternatives = respellings(neighbours, terms, frequency);
    found.push({ word, term, alternatives });
  }
  return found.filter(({ alternatives }) => alternatives.length > 0);
}

/** Ranges in which the neighbours of a word are: a wrong first letter is swapped with the second, or too many. */
const prefixesOf = (word: string): string[] => [
  word.slice(0, 1),
  word.charAt(1) + word.charAt(0) + word.charAt(2),
  word.slice(1, 4),
];
const PREFIXES = 3;

function respellings(neighbours: Neighbour[], terms: string[], frequency: number): Alternative[] {
  const byTerm = new Map<string, Neighbour & { value: number }>();
  for (const one of neighbours) {
    const term = termOf(one.word);
    if (terms.includes(term)) continue;
    const value = one.count * (one.distance === 1 ? 1 : SECOND_EDIT);
    const known = byTerm.get(term);
    if (!known || value > known.value) byTerm.set(term, { ...one, value });
  }
  const best = [...byTerm.values()].sort((a, b) => b.value - a.value).slice(0, MAX_ALTERNATIVES);
  const most = best[0]?.value ?? 0;
  if (frequency > 0 && most < MUCH_MORE_FREQUENT * frequency) return [];
  return best
    .filter(({ value }) => value >= LEAST_SHARE * most)
    .map(({ word, distance }, place) => ({
      words: [word],
      share: frequency > 0 ? SHARE_BESIDE_RARE : (SHARES[place] ?? 0) * (distance === 1 ? 1 : 0.8),
    }));
}
