import { COMMON_HAN, COMMON_HANGUL, COMMON_LETTERS, LATIN_LANGUAGES } from './common-letters.js';

/** Words, with what stands in or directly at them other than ASCII. */
const TOKEN = /[A-Za-z\u0080-\uffff]+/g;
const RUNS =
  /(?<Latin>(?:\p{Script=Latin}|\p{M})+)|(?<Cyrillic>\p{Script=Cyrillic}+)|(?<Greek>\p{Script=Greek}+)|(?<Hebrew>\p{Script=Hebrew}+)|(?<Arabic>\p{Script=Arabic}+)|(?<Thai>\p{Script=Thai}+)|(?<Han>\p{Script=Han}+)|(?<Kana>[\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(?<Hangul>\p{Script=Hangul}+)|(?<Wide>[\u3000-\u303f\uff01-\uff60]+)|(?<Quotes>[\u00a0‘’“”„«»–—…·]+)|(?<Signs>[€£°§©®™•²³±×½¼¾¿¡ªº¥№µ]+)|(?<Other>.)/gsu;
const HALF_WIDTH_KANA = /^[\uff61-\uff9f]+$/;
const ALPHABETS = new Set(['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai']);
const THAI_VOWELS = /[\u0e30-\u0e3a\u0e40-\u0e4e]/gu;
const THAI_MISPLACED =
  /(?:^|[^\u0e01-\u0e3a\u0e47-\u0e4e])[\u0e30-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])|[\u0e3f\u0e4f-\u0e5b]/gu;
/** A letter alone says little: any byte is one in some script. */
const LONE_LETTER = 0.4;
/** Any two languages have many letters, so that one that has all of them says more. */
const TWO_LANGUAGES = 0.88;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

interface Run {
  script: string;
  text: string;
}

/**
 * How much decoded bytes look like something that a person wrote, from below 0 to 1: letters that occur in the
 * same language, scripts that are not mixed within a word, characters that make words.
 */
export function plausibility(text: string): number {
  const latin = new Map<string, number>();
  let sum = 0;
  let total = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (othersIn(token) === 0) continue;
    const runs = runsOf(token);
    runs.forEach((run, index) => {
      const size = othersIn(run.text);
      if (size === 0) return;
      total += size;
      const fits = scoreRun(run, runs[index - 1], runs[index + 1]);
      if (run.script === 'Latin') countLetters(latin, run.text, fits);
      else sum += fits * size;
    });
  }
  return total === 0 ? 0 : (sum + bestLanguageScore(latin)) / total;
}

function runsOf(token: string): Run[] {
  return [...token.matchAll(RUNS)].map(({ groups = {}, 0: text }) => ({
    script: Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'Other',
    text,
  }));
}

/** How well a run of one script fits between its neighbours. */
function scoreRun({ script, text }: Run, before: Run | undefined, after: Run | undefined): number {
  const isBetweenLetters = isAlphabetic(before) && isAlphabetic(after);
  if (script === 'Quotes') return 0.9;
  if (script === 'Signs') return isBetweenLetters || (/[¿¡]/.test(text) && !after) ? 0 : 0.7;
  if (script === 'Other') return /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(text) ? -1 : 0;
  if (script === 'Wide') return 1;
  if (ALPHABETS.has(script)) {
    if (isAlphabetic(before) || isAlphabetic(after)) return 0;
    if (/\p{Ll}\p{Lu}/u.test(text)) return 0.2;
    if (text.length === 1) return LONE_LETTER;
    return script === 'Thai' ? thai(text) : script === 'Latin' ? 1 : common(text, COMMON_LETTERS[script]);
  }
  if (isBetweenLetters && text.length === 1) return 0;
  if (script === 'Han') return han(text);
  if (script === 'Hangul') return share(text, (character) => COMMON_HANGUL.has(character));
  return HALF_WIDTH_KANA.test(text) ? (text.length > 1 ? 0.7 : 0) : 1;
}

function isAlphabetic(run: Run | undefined): boolean {
  return run !== undefined && ALPHABETS.has(run.script);
}

/** Of random letters, some four in ten are common ones. */
function common(text: string, letters: Set<string> | undefined): number {
  const found = share(text.toLowerCase(), (letter) => letters?.has(letter) ?? false);
  const misplaced = text.match(/[ךםןףץς](?=\p{L})|σ$/gu)?.length ?? 0;
  return Math.max(0, Math.min(1, (found - 0.25) * 1.8) - (2 * misplaced) / text.length);
}

/** Vowel signs and tone marks stand on or after a consonant, some vowels before one. */
function thai(text: string): number {
  const misplaced = text.match(THAI_MISPLACED)?.length ?? 0;
  const vowels = text.match(THAI_VOWELS)?.length ?? 0;
  return Math.max(0, (vowels > 0 ? 0.9 : 0.3) - (4 * misplaced) / text.length);
}

/** The share of characters that are in words of several, or are common by themselves. */
function han(text: string): number {
  let found = 0;
  for (const { segment } of words.segment(text)) {
    if (segment.length > 1 || COMMON_HAN.has(segment)) found += segment.length;
  }
  return found / text.length;
}

function countLetters(counts: Map<string, number>, text: string, weight: number): void {
  const others = othersIn(text);
  // Words of hardly anything but letters with accents are another script's.
  const odd = others > 2 && others > text.length * 0.6;
  for (const letter of text.toLowerCase()) {
    if (letter > '\u007f') counts.set(letter, (counts.get(letter) ?? 0) + (odd ? 0.5 * weight : weight));
  }
}

/** How many of the letters the language has that has most of them, or two languages that share a text. */
function bestLanguageScore(counts: Map<string, number>): number {
  let best = 0;
  LATIN_LANGUAGES.forEach((one, index) => {
    best = Math.max(best, one.weight * countOf(counts, one.letters));
    for (const other of LATIN_LANGUAGES.slice(index + 1)) {
      const found = countOf(counts, one.letters, other.letters);
      best = Math.max(best, TWO_LANGUAGES * one.weight * other.weight * found);
    }
  });
  return best;
}

function countOf(counts: Map<string, number>, ...alphabets: Set<string>[]): number {
  let found = 0;
  for (const [letter, count] of counts) if (alphabets.some((letters) => letters.has(letter))) found += count;
  return found;
}

function share(text: string, test: (character: string) => boolean): number {
  const characters = [...text];
  return characters.filter(test).length / characters.length;
}

function othersIn(text: string): number {
  return text.match(/\P{ASCII}/gu)?.length ?? 0;
}
