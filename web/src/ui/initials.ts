/**
 * What stands for a person in a small picture: the first letters of the first and last name, or the last character of a
 * Chinese one. Of an address or an id, its first letters.
 */
export function initialsOf(name: string): string {
  const trimmed = name.trim();
  if (/^\p{sc=Han}+$/u.test(trimmed)) return [...trimmed].at(-1) ?? '?';
  const words = (trimmed.split('@')[0] ?? '').split(/[\s._:-]/).flatMap((word) => [...word][0] ?? []);
  const [first = '?', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return `${first}${last ?? ''}`.toUpperCase();
}

/** A hue for a person, always the same one. */
export const hueOf = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
