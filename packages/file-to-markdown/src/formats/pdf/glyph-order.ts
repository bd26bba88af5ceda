/** The characters of glyphs by their numbers in a font. */
export type GlyphOrder = (glyph: number) => string | undefined;

/** Shares of letters, of vowels among them, and of glyphs beyond the order in a text that is one. */
const MIN_LETTERS = 0.6;
const MIN_VOWELS = 0.25;
const MAX_VOWELS = 0.65;
const MAX_UNKNOWN = 0.2;
const UNKNOWN = '\ufffd';

/** Glyphs 3 to 97 are ASCII without its controls, the next ones the upper half of the Macintosh's encoding. */
const trueTypeOrder: GlyphOrder = (glyph) => {
  if (glyph < 3 || glyph > 225) return undefined;
  if (glyph <= 97) return String.fromCharCode(glyph + 29);
  return new TextDecoder('macintosh').decode(Uint8Array.of(glyph + 30));
};

/** Glyphs 1 to 95 are ASCII in fonts of Adobe's formats. */
const adobeOrder: GlyphOrder = (glyph) =>
  glyph < 1 || glyph > 95 ? undefined : String.fromCharCode(glyph + 31);

/** The usual order of glyphs in which codes make words: most are letters, and of these some are vowels. */
export function orderOf(codes: readonly number[]): GlyphOrder | undefined {
  return [trueTypeOrder, adobeOrder].find((order) => {
    const text = codes.map((code) => order(code) ?? UNKNOWN).join('');
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    const letters = count(/\p{L}/gu);
    const vowels = count(/[aeiou]/gi) / letters;
    const isWords = letters > MIN_LETTERS * codes.length && vowels > MIN_VOWELS && vowels < MAX_VOWELS;
    return isWords && count(/\ufffd/g) <= MAX_UNKNOWN * codes.length;
  });
}
