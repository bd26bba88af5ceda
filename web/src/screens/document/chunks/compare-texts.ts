import { diffArrays } from 'diff';

export interface TextPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Beyond so many changed words two texts are shown one after the other. */
const MAX_EDITS = 2_000;

/** Differences in words, Chinese ones too; undefined where the texts have little in common. */
export function compareTexts(before: string, after: string): TextPart[] | undefined {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS });
  return changes?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
