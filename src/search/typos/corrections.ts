import type { SearchCandidates } from '../chunk-index.js';
import { toWord, WORD } from '../ranking/analyze.js';
import type { MistypedWord } from './find-alternatives.js';

/** What callers are told of mistyped words. */
export function toCorrections(
  text: string,
  mistyped: MistypedWord[],
): Pick<SearchCandidates, 'corrections' | 'didYouMean'> {
  if (mistyped.length === 0) return {};
  const corrections = mistyped.map(({ written, alternatives }) => ({
    word: written.join(' '),
    instead: alternatives.map(({ words }) => words.join(' ')),
  }));
  return { corrections, didYouMean: respell(text, mistyped) };
}

/** The question with its mistyped words as they are most likely meant. */
function respell(text: string, mistyped: MistypedWord[]): string {
  const matches = [...text.matchAll(WORD)].map(({ 0: match, index }) => ({
    word: toWord(match),
    start: index,
    end: index + match.length,
  }));
  let respelled = '';
  let done = 0;
  for (const [place, { start }] of matches.entries()) {
    if (start < done) continue;
    const one = mistyped.find(({ written }) => written.every((word, i) => matches[place + i]?.word === word));
    const [best] = one?.alternatives ?? [];
    if (!one || !best) continue;
    respelled += text.slice(done, start) + best.words.join(' ');
    done = matches[place + one.written.length - 1]?.end ?? done;
  }
  return respelled + text.slice(done);
}
