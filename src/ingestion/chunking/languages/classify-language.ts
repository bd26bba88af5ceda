import { eld } from 'eld/medium';

/** The language a text is classified as. */
export interface LanguageClassification {
  language: string;
  /** How well the text fits a language, from 0 to 1. */
  scoreFor: (language: string) => number;
}

/** Common languages: preferred for short texts when scores are close. */
const COMMON: ReadonlySet<string> = new Set('ar cs de es fr it nl pl pt ru sv tr uk vi'.split(' '));
const COMMON_HANDICAP = 0.03;
const RARE_HANDICAP = 0.12;
/** Up to so many letters a handicap counts in full; twice as many halve it. */
const SHORT = 60;

/**
 * Classifies a text by n-gram statistics; undefined if unreliable.
 *
 * @param expected languages that need no more evidence than English does
 */
export function classifyLanguage(
  text: string,
  letters: number,
  expected: readonly string[],
): LanguageClassification | undefined {
  const result = eld.detect(text);
  if (!result.isReliable()) return undefined;
  const scores = () => result.getScores() as Record<string, number | undefined>;
  const fits = (code: string) => scores()[code] ?? 0;
  if (handicapOf(result.language, expected) === 0) return { language: result.language, scoreFor: fits };

  const weight = Math.min(1, SHORT / Math.max(1, letters));
  let language = result.language;
  let best = 0;
  for (const [code, score = 0] of Object.entries(scores())) {
    const worth = score * (1 - handicapOf(code, expected) * weight);
    if (worth > best) [language, best] = [code, worth];
  }
  return { language, scoreFor: fits };
}

function handicapOf(code: string, expected: readonly string[]): number {
  if (code === 'en' || expected.includes(code)) return 0;
  return COMMON.has(code) ? COMMON_HANDICAP : RARE_HANDICAP;
}
