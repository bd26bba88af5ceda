import type { Mark } from '../../ui/marked-text';

/** Longer texts are cut: an excerpt is a line. */
const MAX_LENGTH = 500;

/** What Markdown writes around its text: signs at the beginning of a line, lines of a table, brackets and addresses of links, emphasis. */
const SIGNS =
  /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)|^[ \t]*[|:-][ \t|:-]*$|!?\[(?=[^[\]\n]{0,200}\]\([^()\s]{0,300}\))|\]\([^()\s]{0,300}\)|\*+(?=\S)|(?<=\S)\*+|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|~~|`+|\|/gm;

/**
 * A text of Markdown in one line, without its signs.
 *
 * @param marks of the text
 * @returns the line, and its marks
 */
export function plainExcerpt(markdown: string, marks: readonly Mark[] = []): { text: string; marks: Mark[] } {
  const source = markdown.slice(0, MAX_LENGTH);
  const isSign = new Uint8Array(source.length);
  for (const { 0: sign, index } of source.matchAll(SIGNS)) isSign.fill(1, index, index + sign.length);
  let text = '';
  // Where each character of the source is in the line, and the end.
  const places: number[] = [];
  for (let at = 0; at < source.length; at += 1) {
    places.push(text.length);
    if (isSign[at]) continue;
    const character = source[at] ?? '';
    if (character.trim() !== '') text += character;
    else if (text !== '' && !text.endsWith(' ')) text += ' ';
  }
  places.push(text.length);
  const placeOf = (at: number) => places[Math.min(at, source.length)] ?? text.length;
  return { text: text.trimEnd(), marks: marks.map(([start, end]) => [placeOf(start), placeOf(end)]) };
}
