import { expect, it } from 'vitest';
import type { ContextRequest } from './context.schema.js';
import { makePassages, type PlacedChunk } from './passages.js';

const SENTENCES = [
  'One is first.',
  'Two is next.',
  'Three is third.',
  'Four is then.',
  'Five is last.',
  'End.',
];
const lengthOf = (count: number) => SENTENCES.slice(0, count).join(' ').length;

/** The sentence with this ordinal and the next one, which the next chunk repeats. */
function chunkOf(ordinal: number, documentId = 'd'): PlacedChunk {
  const span = { start: ordinal === 0 ? 0 : lengthOf(ordinal) + 1, end: lengthOf(ordinal + 2) };
  const content = SENTENCES.join(' ').slice(span.start, span.end);
  return { id: `${documentId}${ordinal}`, documentId, ordinal, content, edited: false, span };
}

const chunksOf = (...ordinals: number[]) => ordinals.map((ordinal) => chunkOf(ordinal));
const chunks = (before: number, after: number): ContextRequest => ({ before, after, unit: 'chunks' });
const characters = (before: number, after: number): ContextRequest => ({ before, after, unit: 'characters' });

function passagesOf(hits: PlacedChunk[], neighbours: PlacedChunk[], request: ContextRequest) {
  const contexts = makePassages(hits, neighbours, request);
  for (const { id, content } of hits) {
    const { sameAs, start, end } = contexts.get(id)!;
    expect(contexts.get(sameAs ?? id)?.text?.slice(start, end)).toBe(content);
  }
  return Object.fromEntries([...contexts].map(([id, { start, end, ...context }]) => [id, context]));
}

it('gives a hit its neighbours, without what they repeat', () => {
  expect(passagesOf(chunksOf(2), chunksOf(1, 3), chunks(1, 1))).toEqual({
    d2: {
      text: 'Two is next. Three is third. Four is then. Five is last.',
      sameAs: null,
      ordinals: { first: 1, last: 3 },
    },
  });
});

it('gives hits that touch one passage, at the best of them', () => {
  const ordinals = { first: 0, last: 4 };
  const text = SENTENCES.join(' ');
  expect(passagesOf(chunksOf(3, 1), chunksOf(0, 2, 4), chunks(1, 1))).toEqual({
    d3: { text, sameAs: null, ordinals },
    d1: { text: null, sameAs: 'd3', ordinals },
  });
});

it('keeps hits apart that do not touch, and those of other documents', () => {
  const one = (ordinal: number, documentId = 'd') => ({
    text: chunkOf(ordinal, documentId).content,
    sameAs: null,
    ordinals: { first: ordinal, last: ordinal },
  });
  expect(passagesOf([...chunksOf(0, 3), chunkOf(1, 'e')], [], chunks(1, 1))).toEqual({
    d0: one(0),
    d3: one(3),
    e1: one(1, 'e'),
  });
});

it('ends at a chunk that is missing', () => {
  expect(passagesOf(chunksOf(3), chunksOf(0, 1, 4), chunks(3, 3))).toEqual({
    d3: {
      text: 'Four is then. Five is last. End.',
      sameAs: null,
      ordinals: { first: 3, last: 4 },
    },
  });
});

it('cuts characters between words', () => {
  const cut = (before: number, after: number) =>
    passagesOf(chunksOf(2), chunksOf(0, 1, 3, 4), characters(before, after)).d2;
  expect(cut(9, 9)).toEqual({
    text: 'is next. Three is third. Four is then. Five is',
    sameAs: null,
    ordinals: { first: 1, last: 3 },
  });
  expect(cut(0, 0)?.text).toBe('Three is third. Four is then.');
  expect(cut(8_000, 8_000)).toEqual({
    text: SENTENCES.join(' '),
    sameAs: null,
    ordinals: { first: 0, last: 4 },
  });
});

it('cuts no character of text without spaces', () => {
  const source = '😀'.repeat(300);
  const pieces = [0, 1, 2].map((ordinal): PlacedChunk => {
    const span = { start: 200 * ordinal, end: 200 * (ordinal + 1) };
    const content = source.slice(span.start, span.end);
    return { id: `d${ordinal}`, documentId: 'd', ordinal, content, edited: false, span };
  });
  const { d1 } = passagesOf([pieces[1]!], pieces, characters(51, 51));
  expect(d1?.text).toBe('😀'.repeat(25 + 100 + 25));
});
