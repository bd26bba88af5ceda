import { expect, test } from 'vitest';
import { markWords } from './mark-words';

/** The text with what is marked in brackets. */
const marked = (text: string, terms: string[]) =>
  markWords(text, terms)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['Refunds are paid; a refund takes days.', ['refund'], '[Refunds] are paid; a [refund] takes days.'],
  ['Our policies and the policy', ['polici'], 'Our [policies] and the [policy]'],
  ['A café in CAFE style', ['cafe'], 'A [café] in [CAFE] style'],
  ['return, returnable, returnability', ['return'], '[return], [returnable], returnability'],
  ['it is in', ['in'], 'it is [in]'],
  ['nothing of it', ['refund'], 'nothing of it'],
  ['', ['refund'], ''],
])('%j searched for %j', (text, terms, expected) => {
  expect(marked(text, terms)).toBe(expected);
});

test('runs of characters are marked where they are, neighbours together', () => {
  expect(marked('谁承担退货运费？', ['退货', '货运', '运费'])).toBe('谁承担[退货运费]？');
});

test('nothing of the text is lost', () => {
  const text = 'The deposit is returned, 押金退还, within thirty days.';
  const pieces = markWords(text, ['deposit', '退还', 'day']);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});
