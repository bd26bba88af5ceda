import { NotImplementedError } from './errors.js';

/** A word or a phrase that is searched for. Positions count words that are negated too. */
export interface Term {
  words: string[];
  isPhrase: boolean;
  position: number;
}

/** Words and phrases beyond this many are ignored. */
const MOST_TERMS = 10;
const LONGEST_WORD = 250;

/** The words of a text. */
export function splitWords(text: string): string[] {
  const words = text.toLowerCase().split(/[ _-]+/);
  return words.filter(Boolean).map(expectPlain);
}

function expectPlain(word: string): string {
  if (!/^[a-z0-9]+$/.test(word) || word.length > LONGEST_WORD)
    throw new NotImplementedError(`the word \`${word}\``);
  return word;
}

/** Reads a query: words, "phrases", -words and -"phrases" that must not appear. */
export function parseQuery(query: string): { terms: Term[]; negated: string[][] } {
  const terms: Term[] = [];
  const negated: string[][] = [];
  let phrase: { words: string[]; position: number; isNegated: boolean } | undefined;
  let isAfterSpace = true;
  let isNegated = false;
  let position = -1;

  function endPhrase(): void {
    if (phrase?.words.length) {
      const { words, position } = phrase;
      if (phrase.isNegated) negated.push(words);
      else terms.push({ words, isPhrase: true, position });
    }
    phrase = undefined;
  }

  for (const token of query.toLowerCase().match(/[^ "_-]+|[ "_-]/g) ?? []) {
    if (terms.length >= MOST_TERMS) return { terms, negated };
    if (/^[ "_-]$/.test(token)) {
      if (token === '"') {
        if (phrase) endPhrase();
        else phrase = { words: [], position: 0, isNegated };
      }
      isNegated = !phrase && token === '-' && isAfterSpace;
    } else {
      const word = expectPlain(token);
      position++;
      if (phrase) {
        if (phrase.words.length === 0) phrase.position = position;
        phrase.words.push(word);
      } else if (isNegated) {
        negated.push([word]);
        isNegated = false;
      } else {
        terms.push({ words: [word], isPhrase: false, position });
      }
    }
    isAfterSpace = token === ' ';
  }
  endPhrase();
  return { terms, negated };
}
