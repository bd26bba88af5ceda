import type { Steps } from '../../async/steps.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import { countOf } from '../postgres/postings/segment-words.js';
import { editDistance } from './edit-distance.js';
import type { VocabularyWord } from './findable-words.js';

/** A word that is written nearly as another one. */
export interface Neighbour extends VocabularyWord {
  distance: number;
  /** How many chunks hold it, about. */
  count: number;
}

/** Characters of blocks that are read in one step, each comparison of two letters included: some milliseconds. */
const CHARACTERS_OF_STEP = 60_000;
/** Letters of words that are compared with one word. Natural text needs a tenth; what is made to need more is left. */
const MAX_COMPARED = 500_000;
const SPACE = 0x20;

/** Edits that are forgiven in a word: one from four letters on, two from eight. */
export const editsOf = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * Finds the words of some blocks that are at most as many edits from a word as it may have.
 *
 * @param options.isUnfinished whether those that begin like that are found, too
 */
export function* findNeighboursInSteps(
  word: string,
  blocks: FoundWords[],
  { isUnfinished = false } = {},
): Steps<Neighbour[]> {
  const most = editsOf(word);
  const letters = lettersOf(word);
  const found = new Map<string, Neighbour>();
  let [unyielded, compared] = [0, 0];
  for (const { words, counts, isCurrent } of blocks) {
    const text = `${words} `;
    if (compared > MAX_COMPARED) break;
    const before = compared;
    for (let start = 0, number = 0, mask = 0, at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== SPACE) {
        mask |= 1 << (code & 31);
        continue;
      }
      const length = at - start;
      // Each edit changes at most two letters; an unfinished word lacks some of the others.
      const isLikely = isUnfinished
        ? length >= word.length - most && bitsOf(letters & ~mask) <= most
        : Math.abs(length - word.length) <= most && bitsOf(mask ^ letters) <= 2 * most;
      if (isLikely) add(text.slice(start, at), counts[number] as number, isCurrent);
      start = at + 1;
      number++;
      mask = 0;
    }
    unyielded += text.length + compared - before;
    if (unyielded < CHARACTERS_OF_STEP) continue;
    unyielded = 0;
    yield;
  }
  // Other words may follow.
  yield;
  return [...found.values()];

  function add(other: string, byte: number, isCurrent: boolean): void {
    const known = found.get(other);
    if (known) {
      known.count += countOf(byte);
      known.isCurrent ||= isCurrent;
      return;
    }
    compared += word.length * (2 * most + 1);
    const distance = isUnfinished ? distanceToPrefix(other) : editDistance(word, other, most);
    if (distance > 0 && distance <= most)
      found.set(other, { word: other, distance, count: countOf(byte), isCurrent });
  }

  function distanceToPrefix(other: string): number {
    let least = most + 1;
    for (let length = word.length - most; length <= word.length + most; length++)
      least = Math.min(least, editDistance(word, other.slice(0, length), most));
    return least;
  }
}

function lettersOf(word: string): number {
  let mask = 0;
  for (let i = 0; i < word.length; i++) mask |= 1 << (word.charCodeAt(i) & 31);
  return mask;
}

/** Number of bits that are set (Kernighan). */
function bitsOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
