import { createHash } from 'node:crypto';
import { stopWords } from '../../search/ranking/stop-words.js';

/** Shorter words are not corrected: too many others are near them. */
const WORD = /[a-z]{4,}/gi;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Of so many errors one is in the first letter, which people type right, mostly. */
const OF_FIRST_LETTER = 10;
const STOP_WORDS = new Set(stopWords.english);

/**
 * Types a question with an error in some of its words: a letter too few or too many, another letter, or two swapped. The
 * same question has the same errors each time.
 *
 * @param words how many words have an error: of those with four Latin letters or more that are no stop words, all if there are fewer
 */
export function mistype(text: string, words: number): string {
  const random = createChoices(text);
  const found = [...text.matchAll(WORD)].filter(([word]) => !STOP_WORDS.has(word.toLowerCase()));
  while (found.length > words) found.splice(random.below(found.length), 1);
  return found.reduceRight((typed, { 0: word, index }) => {
    return typed.slice(0, index) + mistypeWord(word, random) + typed.slice(index + word.length);
  }, text);
}

function mistypeWord(word: string, { below }: Choices): string {
  const at = below(OF_FIRST_LETTER) === 0 ? 0 : 1 + below(word.length - 1);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const other = LETTERS.charAt(below(LETTERS.length));
  const [next] = after;
  const typed = [
    before + after,
    before + other + letter + after,
    before + other + after,
    next ? before + next + letter + after.slice(1) : before + after,
  ][below(4)] as string;
  return typed === word ? before + after : typed;
}

type Choices = ReturnType<typeof createChoices>;

/** Numbers that look random, and are the same for the same text. */
function createChoices(text: string) {
  let [hash, at] = [createHash('sha256').update(text).digest(), 0];
  return {
    below(limit: number): number {
      if (at === hash.length) [hash, at] = [createHash('sha256').update(hash).digest(), 0];
      at += 4;
      return hash.readUInt32BE(at - 4) % limit;
    },
  };
}
