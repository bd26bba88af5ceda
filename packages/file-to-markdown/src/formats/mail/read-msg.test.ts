import { CFB } from '@e965/xlsx';
import { expect, it } from 'vitest';
import { fixture } from '../../../test/support/parse.js';
import { readMsg } from './read-msg.js';

/** Where the container of `attachment.msg` keeps what. */
const HEADER = { miniFatCount: 64, difat: 68, difatCount: 72 };
const SECTOR = { miniStream: 0, miniFat: 16, directory: 17, fat: 29 };
const ENTRY = { left: 68, right: 72, child: 76, start: 116, size: 120 };
const [STORAGE, PROPERTIES, RECIPIENT, ATTACHMENT, IN_ATTACHMENT] = [1, 28, 29, 37, 38];
const MANY = 0x7fffffff;

const next = (sector: number) => (SECTOR.fat + 1) * 512 + sector * 4;
const nextMini = (sector: number) => (SECTOR.miniFat + 1) * 512 + sector * 4;
const at = (entry: number, field: keyof typeof ENTRY) =>
  (SECTOR.directory + 1) * 512 + entry * 128 + ENTRY[field];

/** What is written where. */
type Damage = [place: number, value: number][];

it.each<[string, Damage]>([
  ['sectors of the directory', [[next(SECTOR.directory), SECTOR.directory]]],
  ['sectors of short streams', [[next(SECTOR.miniStream + 1), SECTOR.miniStream]]],
  [
    'sectors of their table',
    [
      [next(SECTOR.miniFat), SECTOR.miniFat],
      [HEADER.miniFatCount, MANY],
    ],
  ],
  [
    'sectors that list those of the table',
    [
      [HEADER.difat, 2],
      [HEADER.difatCount, MANY],
      [4 * 512 - 4, 2],
    ],
  ],
  ['parts of a short stream', [[nextMini(92), 92]]],
  [
    'sectors of a stream',
    [
      [at(PROPERTIES, 'size'), MANY],
      [at(PROPERTIES, 'start'), 0],
      [next(0), 0],
    ],
  ],
  ['entries beside each other', [[at(ATTACHMENT, 'right'), STORAGE]]],
  [
    'an entry that is itself on both sides',
    [
      [at(ATTACHMENT, 'left'), ATTACHMENT],
      [at(ATTACHMENT, 'right'), ATTACHMENT],
    ],
  ],
  ['an entry in two storages', [[at(RECIPIENT, 'child'), IN_ATTACHMENT]]],
])('refuses a message with a loop: %s', async (_name, damage) => {
  const bytes = Buffer.from(await fixture('attachment.msg'));
  for (const [place, value] of damage) bytes.writeInt32LE(value, place);
  expect(() => readMsg(bytes)).toThrow(expect.objectContaining({ code: 'corrupt' }));
});

it('does not read the names of properties, which may all be the same long one', () => {
  const [count, length] = [1_000, 200_000];
  const properties = Buffer.alloc(8 * count);
  for (let i = 0; i < count; i++) properties.writeUInt32LE(1 + (i << 16), 8 * i + 4);
  const names = Buffer.alloc(length + 4, 'a');
  names.writeUInt32LE(length, 0);
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries({
    '__properties_version1.0': Buffer.alloc(40),
    '__substg1.0_1000001F': Buffer.from('Moor here', 'utf16le'),
    '__nameid_version1.0/__substg1.0_00020102': Buffer.alloc(16),
    '__nameid_version1.0/__substg1.0_00030102': properties,
    '__nameid_version1.0/__substg1.0_00040102': names,
  })) {
    CFB.utils.cfb_add(container, `/${name}`, content);
  }
  expect(readMsg(CFB.write(container, { type: 'buffer' }) as Buffer).text).toBe('Moor here');
});
