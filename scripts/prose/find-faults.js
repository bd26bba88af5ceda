/* What rules object to in blocks of prose. */
import { MAX_WORDS, NAMES } from './rules.js';

const SENTENCE_END = /[.!?]["')\u201d]*(?=\s+["'(\u201c]?[\p{Lu}\p{N}\u25e6]|\s*$)/gu;

/** @returns faults, each with its line, the name of its rule, its sentence, and what to write instead */
export function findFaults(blocks, rules) {
  return blocks.flatMap((block) => {
    const sentences = sentencesOf(block.prose);
    return rules.flatMap(({ name, pattern, say }) =>
      Array.from(block.prose.matchAll(pattern), ({ index }) =>
        faultAt(block, sentences.find(({ end }) => end > index) ?? sentences.at(-1), index, name, say),
      ),
    );
  });
}

/** Sentences of many words; names in code are no words, nor is what is in brackets of links. */
export function findLongSentences(blocks) {
  return blocks.flatMap((block) =>
    sentencesOf(block.prose).flatMap((sentence) => {
      const words = block.prose.slice(sentence.start, sentence.end).match(/[\p{L}\p{N}]\S*/gu) ?? [];
      return words.length > MAX_WORDS
        ? [
            faultAt(
              block,
              sentence,
              sentence.start,
              'long-sentence',
              `it has ${words.length} words: make two of it`,
            ),
          ]
        : [];
    }),
  );
}

/** Headings with capitals that are no names. */
export function findTitleCase(blocks) {
  return blocks
    .filter(({ isHeading }) => isHeading)
    .flatMap((block) => {
      const [, ...words] = block.prose.replace(/^\d+\. /, '').split(/[\s/]+/);
      const word = words.find((one) => /^\p{Lu}\p{Ll}+$/u.test(one) && !NAMES.test(one));
      const whole = { start: 0, end: block.text.length };
      return word ? [faultAt(block, whole, 0, 'sentence-case', `only names have capitals: "${word}"`)] : [];
    });
}

function faultAt({ line, text }, { start, end }, index, rule, say) {
  const sentence = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return { line: line + text.slice(0, index).split('\n').length - 1, rule, sentence, say };
}

function sentencesOf(prose) {
  const ends = Array.from(prose.matchAll(SENTENCE_END), ({ index, 0: end }) => index + end.length);
  if (ends.at(-1) !== prose.length) ends.push(prose.length);
  return ends.map((end, i) => ({ start: i === 0 ? 0 : ends[i - 1], end }));
}
