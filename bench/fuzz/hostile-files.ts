import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import type { Random } from '../support/random.js';

export interface HostileFile {
  name: string;
  bytes: Buffer;
}

const MIB = 1024 * 1024;

/** Texts that parsers take too long for, or make too much of, one of each kind. */
export function makeHostileFiles(): HostileFile[] {
  const repeated = (name: string, pattern: string, size = MIB) => ({
    name,
    bytes: Buffer.from(pattern.repeat(Math.ceil(size / pattern.length))),
  });
  return [
    repeated('one-word.txt', 'a'),
    repeated('dots.txt', 'a.'),
    repeated('newlines.txt', '\n'),
    repeated('spaces.txt', ' '),
    repeated('zeros.txt', '\0'),
    repeated('sentences.txt', 'A b. '),
    repeated('chinese.txt', '中'),
    repeated('marks.txt', 'e\u0301\u0301\u0301'),
    repeated('emoji.txt', '👩‍👩‍👧‍👦'),
    repeated('headings.md', '# a\n'),
    repeated('heading-marks.md', '#'),
    repeated('quotes.md', '> '),
    repeated('lists.md', '  * '),
    repeated('links.md', '[a]('),
    repeated('emphasis.md', '**a_'),
    repeated('code.md', '`'),
    repeated('table.md', '|'),
    repeated('rows.csv', 'a\n'),
    repeated('columns.csv', 'a,'),
    repeated('quotes.csv', '"'),
    repeated('open-tags.html', '<div>'),
    repeated('formatting.html', '<b><i>'),
    repeated('tables.html', '<table><tr><td>'),
    repeated('entities.html', '&amp;'),
    repeated('attributes.html', '<a b=c '),
    repeated('deep.json', '['),
    repeated('deep.xml', '<a>'),
    repeated('braces.rtf', '{\\rtf1 '),
    repeated('keywords.rtf', '\\b\\i'),
    repeated('headers.eml', 'A: b\n'),
    repeated('parts.eml', 'Content-Type: multipart/mixed; boundary=a\n\n--a\n'),
    repeated('records.ndjson', '{"a":1}\n'),
    repeated('anchors.yaml', 'a: &a [*a]\n'),
    { name: 'wide.json', bytes: Buffer.from(`[${'{"a":1},'.repeat(100_000)}{}]`) },
    { name: 'shared-string.xlsx', bytes: workbookOf('word '.repeat(6_000), 12_000) },
    { name: 'text.txt.gz', bytes: gzipSync(Buffer.alloc(50 * MIB, 'a ')) },
  ];
}

/** A small file of many cells with the same long text. */
function workbookOf(text: string, cells: number): Buffer {
  const sheet = utils.aoa_to_sheet(Array.from({ length: cells }, () => [text]));
  const workbook = utils.book_new(sheet, 'Sheet');
  return write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true });
}

/** Real files, each damaged by chance: bytes changed, cut off, or doubled. */
export async function damageFiles(folder: string, random: Random): Promise<HostileFile[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  return Promise.all(
    names.map(async ({ name }) => ({
      name,
      bytes: damage(await readFile(path.join(folder, name)), random),
    })),
  );
}

function damage(bytes: Buffer, random: Random): Buffer {
  const damaged = Buffer.from(bytes);
  for (let i = 0; i < 20 && damaged.length > 0; i++)
    damaged[random.below(damaged.length)] = random.below(256);
  const cut = random.below(damaged.length + 1);
  switch (random.below(3)) {
    case 0:
      return damaged.subarray(0, cut);
    case 1:
      return Buffer.concat([damaged, damaged.subarray(cut)]);
    default:
      return damaged;
  }
}
