import type { Suggestions } from './suggest.schema.js';

type Excerpt = Pick<Suggestions['hits'][number], 'excerpt' | 'marks'>;

export const EXCERPT_LENGTH = 200;
/** What stands before the first mark. */
const BEFORE = 60;

/** A part of a text: its beginning if it has a mark there, else what is around the first one. */
export function cutExcerpt(text: string, marks: Excerpt['marks']): Excerpt {
  const first = marks[0]?.[0] ?? 0;
  const start = first < EXCERPT_LENGTH - BEFORE ? 0 : atCharacter(text, first - BEFORE);
  const end = atCharacter(text, Math.min(text.length, start + EXCERPT_LENGTH));
  const before = start > 0 ? '…' : '';
  const shift = before.length - start;
  return {
    excerpt: before + text.slice(start, end) + (end < text.length ? '…' : ''),
    marks: marks
      .filter(([from]) => from < end)
      .map(([from, to]) => [from + shift, Math.min(to, end) + shift]),
  };
}

/** Never between the halves of a character. */
const atCharacter = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at);
