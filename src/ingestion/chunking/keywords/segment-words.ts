import type { Steps } from '../../../async/steps.js';

const BREAK = '\n';
/** A call of the segmenter costs as much as some twenty words, and each word the more, the longer the text. */
const MAX_BATCH = 300;
const MAX_RUN = 1_000;

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The words of each run, which are in scripts without spaces. Many runs share a call; a very long one takes several. */
export function* segmentWords(runs: readonly string[]): Steps<string[][]> {
  if (runs.length === 0) return [];
  const lists: string[][] = [[]];
  for (const batch of batches(runs)) {
    for (const { segment } of segmenter.segment(batch)) {
      if (segment === BREAK) lists.push([]);
      else lists.at(-1)?.push(segment);
    }
    yield;
  }
  return lists;
}

/** All runs, each but the last ended by a break, in strings of bounded length. */
function* batches(runs: readonly string[]): Generator<string> {
  let batch = '';
  for (const [index, run] of runs.entries()) {
    const text = index === 0 ? run : BREAK + run;
    if (batch.length > 0 && batch.length + text.length > MAX_BATCH) {
      yield batch;
      batch = '';
    }
    let rest = text;
    for (; rest.length > MAX_RUN; rest = rest.slice(MAX_RUN)) yield rest.slice(0, MAX_RUN);
    batch += rest;
  }
  yield batch;
}
