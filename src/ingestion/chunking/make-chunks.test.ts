import type { ParsedDocument, ParsedPage } from '@lectern/file-to-markdown';
import { expect, it } from 'vitest';
import { makeChunks } from './make-chunks.js';
import { type ChunkingOptions, joinPages } from './split/split.js';
import type { NewChunk } from './store-chunks.js';

const lastModified = new Date('2026-01-02T03:04:05Z');

async function chunksOf(
  markdown: string | ParsedPage[],
  { title, chunking }: { title?: string; chunking?: ChunkingOptions } = {},
): Promise<NewChunk[]> {
  const chunks: NewChunk[] = [];
  const parsed = documentOf(typeof markdown === 'string' ? [{ number: 1, markdown }] : markdown, title);
  for await (const chunk of makeChunks(parsed, { fileName: 'gulls.md', lastModified, chunking }))
    chunks.push(chunk);
  return chunks;
}

function documentOf(pages: Iterable<ParsedPage>, title?: string): ParsedDocument {
  const read = async function* () {
    yield* pages;
  };
  return { subType: 'md', mediaType: 'text/markdown', pages: read(), ...(title && { title }) };
}

it('describes each chunk', async () => {
  const markdown = '# Gulls\n\nGulls nest on cliffs and in the towns along the coast of the northern sea.';
  expect(await chunksOf(markdown)).toEqual([
    {
      content: markdown,
      contentComplement: 'Gulls',
      keywords: expect.objectContaining({ Gulls: 1, cliffs: expect.any(Number) }),
      metadata: {
        file_directory: '',
        filename: 'gulls.md',
        filetype: 'text/markdown',
        languages: ['en'],
        last_modified: '2026-01-02T03:04:05.000Z',
        page_number: 1,
        char_start: 0,
        char_end: markdown.length,
        headings: ['Gulls'],
      },
    },
  ]);
});

it('tells where in the source each chunk is', async () => {
  const open = `They nest on cliffs and in towns ${'along the coast of the northern sea '.repeat(2)}and`;
  const pages = [
    { number: 1, markdown: '# Gulls\n\nThey cry.' },
    { number: 1, markdown: open },
    { number: 2, markdown: 'also on roofs. They come back every year.\n\n## Eggs\n\nThree.' },
  ];
  const text = joinPages(pages);
  const chunks = await chunksOf(pages);
  const places = chunks.map(({ content, metadata: { char_start, char_end, ...place } }) => {
    expect(text.slice(char_start, char_end)).toBe(content);
    return [content.slice(-6), place.headings, place.page_number, place.last_page_number];
  });
  expect(places).toEqual([
    ['roofs.', ['Gulls'], 1, 2],
    [' year.', ['Gulls'], 2, undefined],
    ['Three.', ['Gulls', 'Eggs'], 2, undefined],
  ]);
});

it('tells the sheet and the rows', async () => {
  const table = (from: number, to: number) => [
    '| Bird |',
    '| --- |',
    ...Array.from({ length: to - from + 1 }, (_, n) => `| Gull ${from + n} |`),
  ];
  const markdown = ['## Nests', '', ...table(3, 12), '', ...table(13, 20)].join('\n');
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const rows = [null, null, 2, null, ...numbers(3, 12), null, null, null, ...numbers(13, 20)];
  const sheet = { number: 4, sheet: 'Nests', markdown, rows };
  const notes = { number: 5, sheet: 'Notes', markdown: '## Notes\n\nNone.', rows: [null, null, null] };
  const chunks = await chunksOf([sheet, notes], { chunking: { size: 100 } });
  const places = chunks.map(({ content, metadata: { sheet, first_row, last_row } }) => {
    const shown = [...content.matchAll(/Gull (\d+)/g)].map(([, number]) => Number(number));
    return { sheet, first_row, last_row, shown: [shown[0], shown.at(-1)] };
  });
  const none = [undefined, undefined];
  const [first, ...others] = places.slice(0, -1);
  expect(first).toMatchObject({ sheet: 'Nests', first_row: 2, last_row: first?.shown[1] });
  expect(others.length).toBeGreaterThan(1);
  for (const { shown, ...place } of others) {
    expect(place).toEqual({ sheet: 'Nests', first_row: shown[0], last_row: shown[1] });
  }
  expect(others.at(-1)?.last_row).toBe(20);
  expect(places.at(-1)).toEqual({ sheet: 'Notes', first_row: undefined, last_row: undefined, shown: none });
});

it('puts the title before the headings, unless it is one of them', async () => {
  const markdown = '# Sea Birds\n\n## Gulls\n\nThey nest.\n\n# Notes\n\nNone.';
  const chunks = await chunksOf(markdown, { title: 'SEA BIRDS' });
  expect(chunks.map((chunk) => chunk.contentComplement)).toEqual(['Sea Birds > Gulls', 'Notes']);
});

it('takes no name of a file for a title', async () => {
  const [chunk] = await chunksOf('They nest.', { title: 'Microsoft Word - gulls.doc' });
  expect(chunk?.contentComplement).toBe('');
});

it('gives rows of a table that goes on its header', async () => {
  const head = '| Bird | Eggs |\n| --- | --- |';
  const rows = '| Herring gull | 3 |\n| Kittiwake | 2 |';
  const chunks = await chunksOf(`# Nests\n\n${head}\n${rows}`, { chunking: { size: 64 } });
  expect(chunks.map((chunk) => chunk.contentComplement)).toEqual(['Nests', `Nests\n${head}`]);
});

it('gives short chunks the language of the document', async () => {
  const german = 'Möwen brüten an Felsen und in den Städten an der Küste, wo sie genug zu fressen finden.';
  const chunks = await chunksOf(`# Vögel\n\n${german}\n\n# Art 2\n\nLarus 12`);
  expect(chunks.map((chunk) => chunk.metadata.languages)).toEqual([['de'], ['de']]);
});

it('reads no further than it is asked for chunks, past the first ones', async () => {
  let read = 0;
  const pages = function* () {
    for (read = 1; read <= 100; read++)
      yield { number: read, markdown: 'Gulls nest on cliffs. '.repeat(2_000) };
  };
  const chunks = makeChunks(documentOf(pages()), { fileName: 'a', lastModified });
  await chunks.next();
  const afterFirst = read;
  await chunks.return(undefined);
  expect(afterFirst).toBeLessThan(100);
});
