import type { ParsedDocument, ParsedPage } from '@lectern/file-to-markdown';
import { expect, it } from 'vitest';
import { makeChunks } from './make-chunks.js';
import type { ChunkingOptions } from './split/split.js';
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
      },
    },
  ]);
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
