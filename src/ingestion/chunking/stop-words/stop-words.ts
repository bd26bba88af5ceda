import { createRequire } from 'node:module';
import { CHINESE } from './chinese.js';
import { CALENDAR, ENGLISH, EVERYDAY } from './english.js';

/** In any language: abbreviations and markup. */
const ABBREVIATIONS =
  'mr mrs ms dr prof sir madam vol pp eds ed et al ie eg cf vs ibid inc ltd co corp fig eq ref refs no nos don ll ve ' +
  'http https www html com org net href src amp nbsp quot lt gt br div span img px';

const require = createRequire(import.meta.url);
const lists: Record<string, string[]> = require('stopwords-iso');

const ofAnyLanguage = setOf(ABBREVIATIONS);
const chinese = setOf(CHINESE);
const english = setOf(`${ENGLISH} ${CALENDAR} ${EVERYDAY}`);
/** Longer than the package's, and tried on collections. */
const own: Record<string, ReadonlySet<string>> = { en: english, zh: chinese };
/** Lists of languages that are not detected would only take words from those that are. */
const UNDETECTED: ReadonlySet<string> = new Set('af br eo ga gl ha id la so st sw zu'.split(' '));

const cache = new Map<string, ReadonlySet<string>>();

/** Whether a word, in lower case, tells nothing about a text in these languages (ISO 639-1). */
export function isStopWord(word: string, languages: readonly string[]): boolean {
  if (ofAnyLanguage.has(word) || chinese.has(word)) return true;
  return languages.some((language) => stopWordsOf(language).has(word));
}

/** The language in which a word, in lower case, is grammar, if there is but one. */
export const languageOfGrammar = (word: string): string | undefined => grammar().get(word);

function stopWordsOf(language: string): ReadonlySet<string> {
  let words = cache.get(language);
  if (!words) {
    words = own[language] ?? new Set(lists[language]);
    cache.set(language, words);
  }
  return words;
}

let languagesOfGrammar: ReadonlyMap<string, string | undefined> | undefined;

/** All lists but for words of a single character, which are names of letters and abbreviations in others. */
function grammar(): ReadonlyMap<string, string | undefined> {
  if (languagesOfGrammar) return languagesOfGrammar;
  const found = new Map<string, string | undefined>();
  for (const [language, words] of Object.entries({ ...lists, en: ENGLISH.split(' ') })) {
    if (UNDETECTED.has(language)) continue;
    for (const word of words) {
      if (word.length > 1)
        found.set(word, found.has(word) && found.get(word) !== language ? undefined : language);
    }
  }
  languagesOfGrammar = found;
  return found;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
