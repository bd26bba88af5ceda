import type { Mark } from '../../../ui/marked-text';

const MAX_MARKS = 1_000;

/** Where a text has a part, in upper or lower case, as the filter of chunks finds it. */
export function occurrencesOf(part: string, text: string): Mark[] {
  const [wanted, searched] = [part.toLowerCase(), text.toLowerCase()];
  // Few characters, such as İ, are longer in lower case: places would be others then.
  if (wanted === '' || searched.length !== text.length) return [];
  const marks: Mark[] = [];
  let at = searched.indexOf(wanted);
  while (at >= 0 && marks.length < MAX_MARKS) {
    marks.push([at, at + wanted.length]);
    at = searched.indexOf(wanted, at + wanted.length);
  }
  return marks;
}
