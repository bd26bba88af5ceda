import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostileFiles } from '../../test/support/hostile-files.js';
import { chunkFile } from './chunking/draft-chunks.js';
import { fileLimits } from './limits/file-limits.js';

/* What files of some kilobytes become that claim to hold gigabytes. */

const MAX = { chunks: 250_000, processorMs: 1_800_000 };
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-small-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outcomeOf({ name, make }: (typeof hostileFiles)[keyof typeof hostileFiles]) {
  const file = path.join(folder, name);
  const bytes = Buffer.from(make());
  writeFileSync(file, bytes);
  let characters = 0;
  let chunks = 0;
  let code = 'ready';
  const onBatch = async (rows: { content: string; content_complement: string }[]) => {
    chunks += rows.length;
    for (const row of rows) characters += row.content.length + row.content_complement.length;
  };
  try {
    await chunkFile(
      {
        path: file,
        size: bytes.length,
        fileName: name,
        limits: fileLimits(bytes.length, MAX),
        documentName: name,
        lastModified: new Date(0).toISOString(),
        chunking: { size: 1_000 },
      },
      { onProgress: () => {}, onBatch },
    );
  } catch (error) {
    code = (error as { code?: string }).code ?? String(error);
  }
  return { code, chunks, characters, bytes: bytes.length };
}

type Name = keyof typeof hostileFiles;
test.each<[Name, code: string]>([
  ['a workbook with a text in each of a million cells', 'too_much_text'],
  ['a workbook with a link over all cells of a sheet', 'ready'],
  ['a workbook with a number format of 24,000 characters', 'ready'],
  ['a workbook whose sheet is there ten thousand times', 'too_large'],
  ['a workbook with a drawing ten thousand times', 'ready'],
  ['a text with a table of a million repeated rows and columns', 'too_much_text'],
  ['a text with a long table header on each of its pages', 'ready'],
  ['a text with fewer blanks than none', 'ready'],
  ['rich text with rows of one cell below one of eighteen thousand', 'ready'],
  ['rows under a column name of 100,000 characters', 'ready'],
  ['ten thousand sections under a long heading', 'ready'],
  ['an object under a key of 90,000 characters', 'ready'],
  ['objects in objects under long keys', 'too_much_text'],
  ['lists in lists', 'ready'],
  ['entities of entities', 'ready'],
  ['groups in groups', 'corrupt'],
  ['aliases of aliases', 'ready'],
  ['mail in mail', 'ready'],
])('%s', async (name, code) => {
  const outcome = await outcomeOf(hostileFiles[name]);
  expect(outcome).toMatchObject({ code });
  const { characters, chunks } = fileLimits(outcome.bytes, MAX);
  expect(outcome.bytes).toBeLessThan(210_000);
  expect(outcome.characters).toBeLessThanOrEqual(characters);
  expect(outcome.chunks).toBeLessThanOrEqual(chunks);
});
