import { isUnspaced } from '../../normalize.js';
import { endsDivided, joinDivided, type Vocabulary } from './hyphenation.js';

export type JoinLines = (above: string, below: string) => string;

/** Joins two lines of one paragraph: divided words are mended, and Han is written without blanks. */
export function lineJoiner(vocabulary: Vocabulary): JoinLines {
  return (above, below) => {
    const before = above.trimEnd();
    const after = below.trimStart();
    if (!before || !after) return before + after;
    if (endsDivided(before)) return joinDivided(before, after, vocabulary);
    const isDense = isUnspaced(before.at(-1) ?? '') && isUnspaced(after.charAt(0));
    return before + (isDense ? '' : ' ') + after;
  };
}
