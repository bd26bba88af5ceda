import type { Database } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import type { ChunkQuery } from '../chunk-index.js';
import { readCorpusStatistics } from '../postgres/postings/corpus.js';
import { type FoundWords, readWords } from '../postgres/postings/read-words.js';
import { termOf } from '../ranking/analyze.js';
import type { CorpusStatistics, QueryTerms } from '../ranking/bm25.js';
import type { Findable } from './findable-words.js';
import { editsOf, findNeighboursInSteps, type Neighbour } from './neighbours.js';
import { type QueryWord, readQueryWords } from './query-words.js';

/** Words of a question that are looked for otherwise. */
const MAX_WORDS = 6;
/** Of one word. */
const MAX_ALTERNATIVES = 3;
/** The most likely neighbours, of which those are chosen that can be found and have terms of their own. */
const MAX_STEMMED = 20;
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
/** Letters of a word that may be two, and of each of them. */
const MIN_TOGETHER = 6;
const MIN_PART = 3;

/** Changed chunks in which parts of words are looked for. */
const MAX_CHANGED = 200;

/** What is searched besides or instead of a word of the question. */
export interface Alternative {
  /** Two where the word is two that were run together. */
  words: string[];
  /** What it weighs, of what it would if it were asked for. */
  share: number;
}

export interface MistypedWord extends QueryWord {
  /** The words of the question that the alternatives are for: this one, or it and a neighbour, which are one torn apart. */
  written: string[];
  /** The most likely first. */
  alternatives: Alternative[];
}

/**
 * Finds the words of a question that no chunk has, or next to none beside a much more frequent neighbour, and how they
 * may have been meant: by the words of the same datasets.
 *
 * @param options.corpus how many chunks hold the terms of the question
 * @param options.unmerged words of chunks that are not in segments yet
 * @param options.unfinished the last word, if it is still being typed
 */
export async function findAlternatives(
  db: Database,
  query: ChunkQuery,
  { terms, choices = [] }: QueryTerms,
  { corpus, findable, unmerged, unfinished }: AlternativeOptions,
): Promise<MistypedWord[]> {
  const frequencyOf = ({ term }: QueryWord) => corpus.frequencies[terms.indexOf(term)];
  const words = readQueryWords(query.text);
  // A word that has synonyms is one that the tenant writes so.
  const known = new Set(choices.flatMap(([own]) => own?.terms ?? []));
  const doubtful = words.filter(
    (one) =>
      editsOf(one.word) > 0 && !known.has(terms.indexOf(one.term)) && (frequencyOf(one) ?? RARE + 1) <= RARE,
  );
  const chosen = doubtful
    .toSorted((a, b) => (frequencyOf(a) ?? 0) - (frequencyOf(b) ?? 0))
    .slice(0, MAX_WORDS);
  if (chosen.length === 0) return [];
  const near = await readNear(chosen, 2);
  // Most errors are behind the second letter, and the words that begin with both are a small part of the vocabulary.
  const isFar = ({ one, likeliest }: Near) =>
    (frequencyOf(one) ?? 0) === 0 && !likeliest.some(({ distance }) => distance === 1);
  const far = await readNear(
    near.filter(isFar).map(({ one }) => one),
    1,
  );
  const found: MistypedWord[] = [];
  const unexplained: QueryWord[] = [];
  for (const { one, likeliest } of [...near.filter((each) => !isFar(each)), ...far]) {
    const frequency = frequencyOf(one) ?? 0;
    const alternatives = respellings(likeliest, terms, frequency);
    if (alternatives.length > 0) found.push({ ...one, written: [one.word], alternatives });
    else if (frequency === 0) unexplained.push(one);
  }
  return [...found, ...(await findSpaces(db, query, words, unexplained, { findable, unmerged }))];

  async function readNear(asked: QueryWord[], letters: number): Promise<Near[]> {
    if (asked.length === 0) return [];
    const ranges = asked.flatMap((of) => prefixesOf(of.word, letters).map((prefix) => ({ of, prefix })));
    const prefixes = ranges.map(({ prefix }) => prefix);
    const { blocks: merged } = await readWords(db, query, prefixes, MAX_CHARACTERS);
    const blocks = [...merged, ...(await unmerged())];
    const read: Near[] = [];
    for (const one of asked) {
      const own = blocks.filter(({ place }) => place < 0 || ranges[place]?.of === one);
      const isUnfinished = one.word === unfinished;
      const neighbours = await runYielding(findNeighboursInSteps(one.word, own, { isUnfinished }));
      read.push({ one, likeliest: likeliestOf(neighbours) });
    }
    const there = await findable(read.flatMap(({ likeliest }) => likeliest));
    return read.map(({ one, likeliest }) => ({
      one,
      likeliest: likeliest.filter(({ word }) => there.has(word)),
    }));
  }
}

/** A word with its neighbours that can be found. */
interface Near {
  one: QueryWord;
  likeliest: LikelyNeighbour[];
}

export interface AlternativeOptions {
  corpus: CorpusStatistics;
  findable: Findable;
  unmerged: () => Promise<FoundWords[]>;
  unfinished?: string | undefined;
}

/** Finds what two words run together, or one torn apart, may be: the most frequent that there is. */
async function findSpaces(
  db: Database,
  query: ChunkQuery,
  words: QueryWord[],
  unexplained: QueryWord[],
  { findable, unmerged }: Pick<AlternativeOptions, 'findable' | 'unmerged'>,
): Promise<MistypedWord[]> {
  const guesses = unexplained.flatMap((one) => [...splits(one), ...joins(one, words)]);
  if (guesses.length === 0) return [];
  const terms = [...new Set(guesses.flatMap(({ parts }) => parts.map(termOf)))];
  const asked = { terms, counts: [], pairs: [], pairCounts: [] };
  const { frequencies } = await readCorpusStatistics(db, query, asked, { changed: MAX_CHANGED });
  const frequencyOf = (word: string) => frequencies[terms.indexOf(termOf(word))] ?? 0;
  const counted = guesses
    .map((guess) => ({ ...guess, count: Math.min(...guess.parts.map(frequencyOf)) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  if (counted.length === 0) return [];
  const changed = new Set((await unmerged()).flatMap((block) => block.words.split(' ')));
  const parts = counted.flatMap((guess) => guess.parts);
  const there = await findable(parts.map((word) => ({ word, isCurrent: changed.has(word) })));
  return unexplained.flatMap((one) => {
    const best = counted.find((guess) => guess.of === one && guess.parts.every((word) => there.has(word)));
    if (!best) return [];
    return [{ ...one, written: best.written, alternatives: [{ words: best.parts, share: 1 }] }];
  });
}

interface Guess {
  of: QueryWord;
  written: string[];
  parts: string[];
}

function splits(of: QueryWord): Guess[] {
  const { word } = of;
  if (word.length < MIN_TOGETHER) return [];
  return Array.from({ length: word.length - 2 * MIN_PART + 1 }, (_, i) => ({
    of,
    written: [word],
    parts: [word.slice(0, MIN_PART + i), word.slice(MIN_PART + i)],
  }));
}

function joins(of: QueryWord, words: QueryWord[]): Guess[] {
  const place = words.indexOf(of);
  return [words.slice(place - 1, place + 1), words.slice(place, place + 2)]
    .filter((both) => both.length === 2)
    .map((both) => both.map(({ word }) => word))
    .map((written) => ({ of, written, parts: [written.join('')] }));
}

/**
 * Ranges in which the neighbours of a word are: those that begin with its first letters, and those whose first letter is
 * swapped with the second, or missing.
 */
function prefixesOf(word: string, letters: number): string[] {
  const first = word.slice(0, letters);
  const others = [word.charAt(1) + word.charAt(0) + word.charAt(2), word.slice(1, 4)];
  // None of them twice, which would count the words in it twice.
  return [first, ...new Set(others.filter((prefix) => !prefix.startsWith(first)))];
}

interface LikelyNeighbour extends Neighbour {
  value: number;
}

const likeliestOf = (neighbours: Neighbour[]): LikelyNeighbour[] =>
  neighbours
    .map((one) => ({ ...one, value: one.count * (one.distance === 1 ? 1 : SECOND_EDIT) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_STEMMED);

function respellings(likeliest: LikelyNeighbour[], terms: string[], frequency: number): Alternative[] {
  const known = new Set(terms);
  const best: typeof likeliest = [];
  for (const one of likeliest) {
    if (best.length === MAX_ALTERNATIVES) break;
    const term = termOf(one.word);
    if (known.has(term)) continue;
    known.add(term);
    best.push(one);
  }
  const most = best[0]?.value ?? 0;
  if (frequency > 0 && most < MUCH_MORE_FREQUENT * frequency) return [];
  return best
    .filter(({ value }) => value >= LEAST_SHARE * most)
    .map(({ word, distance }, place) => ({
      words: [word],
      share: frequency > 0 ? SHARE_BESIDE_RARE : (SHARES[place] ?? 0) * (distance === 1 ? 1 : 0.8),
    }));
}
