import { isUnspaced } from '../../shared/text/normalize-text.js';
import { endsHyphenated, joinHyphenated, type Vocabulary } from './hyphenation.js';

export type JoinLines = (above: string, below: string) => string;

/** Joins two lines of one paragraph: divided words are mended, and Han is written without blanks. */
export function createLineJoiner(vocabulary: Vocabulary): JoinLines {
  return (above, below) => {
    const before = above.trimEnd();
    const after = below.trimStart();
    if (!before || !after) return before + after;
    if (endsHyphenated(before)) return joinHyphenated(before, after, vocabulary);
    const isDense = isUnspaced(before.at(-1) ?? '') && isUnspaced(after.charAt(0));
    return before + (isDense ? '' : ' ') + after;
  };
}
