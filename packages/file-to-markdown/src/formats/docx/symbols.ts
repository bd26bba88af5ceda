import { codePoint } from 'dingbat-to-unicode';

/** Word keeps characters of fonts of symbols here, among those for private use. */
const PRIVATE = /[\uf020-\uf0ff]/g;
const PRIVATE_BASE = 0xf000;
const BULLET = '•';

/** A character by its number in a font of symbols; `''` where it has no meaning as text. */
export function symbolText(font: string, code: number): string {
  const inFont = code >= PRIVATE_BASE && code <= 0xf0ff ? code - PRIVATE_BASE : code;
  const known = codePoint(font, inFont)?.string;
  if (known !== undefined) return known;
  return Number.isInteger(code) && code > 0x20 && inFont === code && code < 0xd800
    ? String.fromCodePoint(code)
    : '';
}

/** A text in such a font, as old converters write it. */
export function withoutPrivateCharacters(text: string, font: string | undefined): string {
  if (!font || text.search(PRIVATE) < 0) return text;
  return text.replace(
    PRIVATE,
    (character) => codePoint(font, character.charCodeAt(0) - PRIVATE_BASE)?.string ?? BULLET,
  );
}
