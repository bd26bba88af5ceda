import { nfkc } from '@lectern/file-to-markdown/nfkc';
import { newStemmer } from 'snowball-stemmers';
import { isStopWord, languageOfGrammar } from '../stop-words/stop-words.js';

/** What is known of a word without its text. */
export interface Word {
  /** As written. */
  form: string;
  /** What its forms have in common: the stem in lower case. */
  key: string;
  /** How well words of this kind serve as tags; 0 if never. */
  tagScore: number;
  isHan: boolean;
  /** Whether it can be a part of a Chinese term. */
  isHanPart: boolean;
  isCapital: boolean;
  /** The language in which alone it is grammar. */
  grammarOf: string | undefined;
}

const HAN = /[\u3400-\u9fff\uf900-\ufaff]/;
const HAN_DIGITS = /^第?[一二三四五六七八九十百千万亿零〇两几数]+$/;
const HAN_NUMBER = /^第?[一二三四五六七八九十百千万亿零〇两几数多0-9]+\p{Script=Han}{0,2}$/u;
const MAX_CACHED = 50_000;

const stemmer = newStemmer('english');
/** Endings that are grammar, but for a few words. */
const HAN_GRAMMAR = /^[的了着是第]|[了着是第]$|(?<![目标])的$|..[后前时]$/;

const vocabularies = new Map<string, Vocabulary>();
let cached = 0;

/** The words of texts in some languages, each described once. */
export class Vocabulary {
  private readonly words = new Map<string, Word>();

  private constructor(private readonly languages: readonly string[]) {}

  static of(languages: readonly string[]): Vocabulary {
    const key = languages.join();
    let vocabulary = vocabularies.get(key);
    if (!vocabulary) {
      vocabulary = new Vocabulary(languages);
      vocabularies.set(key, vocabulary);
    }
    return vocabulary;
  }

  describe(form: string): Word {
    const known = this.words.get(form);
    if (known) return known;
    if (++cached > MAX_CACHED) forgetAll();
    // A copy: what is sliced from a text keeps all of that text in memory.
    const word = describe([...form].join(''), this.languages);
    this.words.set(word.form, word);
    return word;
  }

  forget(): void {
    this.words.clear();
  }
}

function forgetAll(): void {
  for (const vocabulary of vocabularies.values()) vocabulary.forget();
  vocabularies.clear();
  cached = 1;
}

function describe(form: string, languages: readonly string[]): Word {
  const isHan = HAN.test(form);
  const folded = nfkc(form).toLowerCase();
  const isStop = isStopWord(folded, languages);
  const tagScore = isStop ? 0 : isHan ? worthOfHan(folded) : worthOf(form, folded);
  const isEnglish = tagScore > 0 && /^[a-z]+(?:-[a-z]+)*$/.test(folded);
  return {
    form,
    key: isEnglish ? stemOf(folded) : folded,
    tagScore,
    isHan,
    isHanPart: isHan && !isStopWord(form, languages) && !HAN_DIGITS.test(form),
    isCapital: !isHan && /^\p{Lu}/u.test(form),
    grammarOf: languageOfGrammar(folded),
  };
}

const stemOf = (word: string): string =>
  word
    .split('-')
    .map((part) => stemmer.stem(part))
    .join(' ');

function worthOfHan(form: string): number {
  if (form.length < 2 || HAN_GRAMMAR.test(form) || HAN_NUMBER.test(form)) return 0;
  return form.length > 2 ? 1.2 : 1;
}

/** Names and nouns make better tags than what describes them, and that better than verbs. */
function worthOf(form: string, folded: string): number {
  if (!/^\p{L}/u.test(form) || form.length > 40) return 0;
  if (/n['’]t$|['’](?:ll|re|ve|d|m)$/.test(folded)) return 0;
  const isCapitals = /^\p{Lu}[\p{Lu}\d]+s?$/u.test(form);
  if (isCapitals) return /^[IVXLC]+$/.test(form) ? 0 : form.length > 6 ? 1 : 1.2;
  if (/[+#]$/.test(form)) return 1.2;
  if (form.length < 3 || (/\d/.test(form) && /^[a-f\d-]{8,}$/.test(folded))) return 0;
  if (/ly$/.test(folded) && folded.length > 5 && !/(?:family|supply|assembly|anomaly|monopoly)$/.test(folded))
    return 0;
  if (/(?:ed|ous|ful|less|ible|able|ish)$/.test(folded) && folded.length > 5) return 0.6;
  if (/(?:ing|ive|ic|al|ary)$/.test(folded) && folded.length > 5) return 0.8;
  return /(?:tion|sion|ment|ity|ness|ism|ics|logy|graphy|ance|ence)s?$/.test(folded) ? 1.1 : 1;
}
