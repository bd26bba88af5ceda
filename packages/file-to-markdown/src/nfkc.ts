/** The halfwidth voicing marks are letters that become marks. */
const EXCESS_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const BEYOND_ASCII = /[^\x00-\x7f]/;

/**
 * Text in Unicode's compatibility form (NFKC), in linear time: putting the marks of one letter into their order takes
 * quadratic time, so that of these only the first thirty stay, as in Unicode's stream-safe text format.
 */
export function nfkc(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.replace(EXCESS_MARKS, '$1').normalize('NFKC');
}
