import { expect, it } from 'vitest';
import { type JoinableChunk, joinChunks } from './join-chunks.js';

/** Pieces of a text by their places in it. */
const piecesOf = (source: string, ...spans: [start: number, end: number][]): JoinableChunk[] =>
  spans.map(([start, end]) => ({ content: source.slice(start, end), edited: false, span: { start, end } }));

const withoutSpans = (chunks: JoinableChunk[]) =>
  chunks.map(({ content, edited }): JoinableChunk => ({ content, edited }));

function expectPlaces(chunks: JoinableChunk[]): void {
  const { text, places } = joinChunks(chunks);
  expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(
    chunks.map(({ content }) => content),
  );
}

const SOURCE = 'One comes first. Two comes next.\n\nThree comes last.';

it('says once what chunks repeat', () => {
  const chunks = piecesOf(SOURCE, [0, 32], [17, 51]);
  expect(joinChunks(chunks)).toEqual({
    text: SOURCE,
    places: [
      { start: 0, end: 32 },
      { start: 17, end: 51 },
    ],
  });
  expect(joinChunks(withoutSpans(chunks))).toEqual(joinChunks(chunks));
});

it('puts line feeds where white space was, and an empty line where that is not known', () => {
  const chunks = piecesOf(SOURCE, [0, 16], [17, 32], [34, 51]);
  expect(joinChunks(chunks).text).toBe('One comes first.\nTwo comes next.\n\nThree comes last.');
  expect(joinChunks(withoutSpans(chunks)).text).toBe(
    'One comes first.\n\nTwo comes next.\n\nThree comes last.',
  );
  expect(joinChunks(piecesOf('商品可以退货。运费由我们承担。', [0, 7], [7, 15])).text).toBe(
    '商品可以退货。运费由我们承担。',
  );
  expectPlaces(chunks);
});

it('takes no repetition of the source for an overlap', () => {
  const source = 'Salt comes first.Salt comes first.';
  expect(joinChunks(piecesOf(source, [0, 17], [17, 34])).text).toBe(source);
});

it('finds the overlap of edited chunks in their texts', () => {
  const [first, second] = piecesOf(SOURCE, [0, 32], [17, 51]) as [JoinableChunk, JoinableChunk];
  const edited = { ...first, content: 'Uno. Two comes next.', edited: true };
  expect(joinChunks([edited, second]).text).toBe('Uno. Two comes next.\n\nThree comes last.');
  const other = { ...second, content: 'Quite another text.', edited: true };
  expect(joinChunks([first, other]).text).toBe('One comes first. Two comes next.\n\nQuite another text.');
  expectPlaces([edited, second]);
  expectPlaces([first, other]);
});

it('believes no place that the texts contradict', () => {
  const chunks = [
    { content: 'One comes first.', edited: false, span: { start: 0, end: 99 } },
    { content: 'Two comes next.', edited: false, span: { start: 5, end: 7 } },
  ];
  expect(joinChunks(chunks).text).toBe('One comes first.\n\nTwo comes next.');
});

it('finds the longest overlap, whatever the texts repeat', () => {
  const join = (...contents: string[]) => joinChunks(contents.map((content) => ({ content, edited: false })));
  expect(join('xababababab', 'ababababababc').text).toBe('xababababababc');
  expect(join('aaaaaaaaaaaa', 'aaaaaaaaaaaa').text).toBe('a'.repeat(13));
  expect(join('x', 'xyz').text).toBe('x\n\nxyz');
});
