import { utils, write } from '@e965/xlsx';
import { expect, it } from 'vitest';
import { fixture, parseBytes } from '../../../test/support/parse.js';

const sheet = utils.aoa_to_sheet([
  ['Ship', 'Tons'],
  ['Ada', 5],
]);
const FILES: [string, () => Promise<Buffer>][] = [
  ['a Word document', () => fixture('lorem.doc')],
  ['a message', () => fixture('attachment.msg')],
  [
    'a workbook',
    async () => write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType: 'biff8' }),
  ],
];

/** The same with a sector, a short one, or an entry of the directory that leads back to itself: one after the other. */
function* withLoops(bytes: Buffer): Generator<Buffer> {
  const [directory, shortTable, table] = [48, 60, 76].map((at) => (bytes.readInt32LE(at) + 1) * 512);
  const changed = (place: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy.writeInt32LE(value, place);
    return copy;
  };
  for (let number = 0; number < 40; number++) {
    yield changed(table! + number * 4, number);
    yield changed(shortTable! + number * 4, number);
  }
  for (const entry of [1, 2, 3]) {
    for (const link of [68, 72]) {
      for (const other of [0, 1, 2, 3]) yield changed(directory! + entry * 128 + link, other);
    }
  }
}

it.each(FILES)('loops in the container of %s do not keep its reader', async (_name, read) => {
  const codes: string[] = [];
  for (const changed of withLoops(await read())) {
    await parseBytes(changed).catch(({ code }) => codes.push(code));
  }
  expect(codes).toContain('corrupt');
});
