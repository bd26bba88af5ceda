/** Adobe's glyph names for old-style figures and small capitals have characters for private use: code, characters. */
const ADOBE: [first: number, characters: string][] = [
  [0xf6d9, '©®™'],
  [0xf721, '!'],
  [0xf724, '$'],
  [0xf726, '&'],
  [0xf730, '0123456789'],
  [0xf73f, '?'],
  [0xf761, 'abcdefghijklmnopqrstuvwxyz'],
  [0xf7a1, '¡¢'],
  [0xf7bf, '¿'],
  [0xf7e0, 'àáâãäåæçèéêëìíîïðñòóôõö'],
  [0xf7f8, 'øùúûüýþÿ'],
  // Parts of large brackets.
  [0xf8e8, '®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪'],
  [0xf8f5, '⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭'],
];
const CHARACTERS = new Map(
  ADOBE.flatMap(([first, characters]) =>
    [...characters].map((character, index) => [String.fromCodePoint(first + index), character] as const),
  ),
);
/** Fonts of pictures: what they draw is not text. */
const PICTURES = /symbol|dings|dingbat|emoji|icon|awesome|marlett|webhost|bullet/i;

export const isPictureFont = (name: string): boolean => PICTURES.test(name);

/**
 * Text whose characters for private use are those that a reader sees, as far as they are known: by Adobe's list of
 * glyph names, and as Windows numbers the characters of a font with an encoding of its own.
 */
export function foldPrivateUse(text: string, fontName: string): string {
  return text.replace(/[\uf021-\uf07e\uf6d9-\uf8fe]/g, (character) => {
    if (character > '\uf07e') return CHARACTERS.get(character) ?? character;
    return isPictureFont(fontName) ? character : String.fromCharCode(character.charCodeAt(0) - 0xf000);
  });
}
