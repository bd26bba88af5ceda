import { nfkc } from '@lectern/file-to-markdown/nfkc';
import type { Steps } from '../../async/steps.js';
import { HAN, MAX_CHARACTERS, POSSESSIVE, toSimplified } from './analyze.js';

/** A text in the normal form of the analysis, and for each UTF-16 unit of it the place in the original it came from. */
export interface NormalForm {
  text: string;
  starts: number[];
  ends: number[];
}

/** What is normalized together: a character with its marks, or the letters of a Hangul syllable. */
const CLUSTER = /[\u1100-\u11ff]+|[^\p{M}\u1100-\u11ff][\p{M}\uff9e\uff9f]*|\p{M}+/gu;
const HAN_RUN = /\p{Script=Han}+/gu;
const CLUSTERS_OF_STEP = 4_000;

/** Normalizes a text as `tokenize` does, and keeps where everything came from. */
export function* normalizeInSteps(original: string): Steps<NormalForm> {
  const composed = yield* composeInSteps(original);
  yield;
  return simplify(removePossessives(lower(composed)));
}

function* composeInSteps(original: string): Steps<NormalForm> {
  const form: NormalForm = { text: '', starts: [], ends: [] };
  const whole = nfkc(original);
  if (whole === original) {
    append(form, original, 0, original.length, { isAligned: true });
    return cut(form);
  }
  yield;
  let clusters = 0;
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    append(form, nfkc(cluster), index, index + cluster.length);
    if (++clusters % CLUSTERS_OF_STEP === 0) yield;
    if (form.text.length >= MAX_CHARACTERS) break;
  }
  return cut(form);
}

/** Adds a text that came from a part of the original: unit by unit where both are aligned, else as a whole. */
function append(
  form: NormalForm,
  text: string,
  start: number,
  end: number,
  { isAligned = text.length === 1 && end - start === 1 } = {},
): void {
  form.text += text;
  for (let i = 0; i < text.length; i++) {
    form.starts.push(isAligned ? start + i : start);
    form.ends.push(isAligned ? start + i + 1 : end);
  }
}

const cut = ({ text, starts, ends }: NormalForm): NormalForm => ({
  text: text.slice(0, MAX_CHARACTERS),
  starts: starts.slice(0, MAX_CHARACTERS),
  ends: ends.slice(0, MAX_CHARACTERS),
});

function lower(form: NormalForm): NormalForm {
  // The only character that gets longer: the Turkish capital I with a dot.
  const aligned = form.text.includes('\u0130') ? rewrite(form, /\u0130/g, (i) => i.toLowerCase()) : form;
  return { ...aligned, text: aligned.text.toLowerCase() };
}

const removePossessives = (form: NormalForm): NormalForm => rewrite(form, POSSESSIVE, () => '');

function simplify(form: NormalForm): NormalForm {
  if (!HAN.test(form.text)) return form;
  const text = toSimplified(form.text);
  return text.length === form.text.length ? { ...form, text } : rewrite(form, HAN_RUN, toSimplified);
}

/** Replaces what a pattern matches. What becomes longer or shorter came from all of what it replaces. */
function rewrite(form: NormalForm, pattern: RegExp, change: (match: string) => string): NormalForm {
  const rewritten: NormalForm = { text: '', starts: [], ends: [] };
  let at = 0;
  const keep = (to: number) => {
    rewritten.text += form.text.slice(at, to);
    for (let i = at; i < to; i++) {
      rewritten.starts.push(form.starts[i] as number);
      rewritten.ends.push(form.ends[i] as number);
    }
  };
  for (const { 0: match, index } of form.text.matchAll(pattern)) {
    keep(index);
    at = index + match.length;
    append(rewritten, change(match), form.starts[index] as number, form.ends[at - 1] as number);
  }
  keep(form.text.length);
  return rewritten;
}
