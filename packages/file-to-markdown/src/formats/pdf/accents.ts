/** Accents that stand alone, and what puts them on the letter before. */
const COMBINING: Record<string, string> = {
  '´': '\u0301',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '¸': '\u0327',
  '˝': '\u030b',
  '˛': '\u0328',
  ˇ: '\u030c',
};
const ACCENT_AND_LETTER = /([´¨ˆ˜¯˘˙˚¸˝˛ˇ])(\p{L})/gu;

/** Puts accents that TeX draws before their letters onto them, where there is such a letter. */
export function composeAccents(text: string): string {
  return text.replace(ACCENT_AND_LETTER, (pair, accent: string, letter: string) => {
    const base = letter === 'ı' ? 'i' : letter;
    const composed = (base + (COMBINING[accent] ?? '')).normalize('NFC');
    return composed.length === 1 ? composed : pair;
  });
}
