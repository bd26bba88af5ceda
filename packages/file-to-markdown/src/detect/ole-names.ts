/** [MS-CFB] 2.2: where the header of an OLE container says what, and how large it is. */
const HEADER = { sectorShift: 30, firstDirectorySector: 48, firstDifatSector: 68, difat: 76, size: 512 };
/** [MS-CFB] 2.6.1: an entry of the directory, in a tree with the others of its storage. */
const ENTRY = { nameLength: 64, left: 68, right: 72, child: 76, size: 128 };
/** Larger numbers are marks, such as the end of a chain. */
const MAX_NUMBER = 0xfffffffa;

/**
 * The names of what lies in an OLE container itself, rather than in an object that it holds. Of a damaged container,
 * those that can be read.
 */
export function readOleNames(bytes: Buffer): string[] {
  if (bytes.length < HEADER.size) return [];
  const directory = readDirectory(bytes);
  const names: string[] = [];
  const seen = new Set<number>();
  const numberAt = (entry: number, field: number) => directory.readUInt32LE(entry * ENTRY.size + field);
  const open = [directory.length > 0 ? numberAt(0, ENTRY.child) : MAX_NUMBER];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (seen.has(entry) || (entry + 1) * ENTRY.size > directory.length) continue;
    seen.add(entry);
    const start = entry * ENTRY.size;
    // The name ends in a zero, which counts.
    const length = Math.min(directory.readUInt16LE(start + ENTRY.nameLength), ENTRY.nameLength);
    names.push(directory.toString('utf16le', start, start + Math.max(0, length - 2)));
    open.push(numberAt(entry, ENTRY.left), numberAt(entry, ENTRY.right));
  }
  return names;
}

/** The sectors of the directory, put together. */
function readDirectory(bytes: Buffer): Buffer {
  // Version 3 has sectors of 512 bytes, and version 4 of 4096.
  const size = bytes.readUInt16LE(HEADER.sectorShift) === 12 ? 4096 : 512;
  const sectorAt = (number: number) => bytes.subarray((number + 1) * size, (number + 2) * size);
  const fat = fatSectors(bytes, size, sectorAt);
  const perSector = size / 4;
  const nextOf = (number: number) => {
    const sector = sectorAt(fat[Math.floor(number / perSector)] ?? MAX_NUMBER);
    return sector.length === size ? sector.readUInt32LE((number % perSector) * 4) : MAX_NUMBER;
  };
  const sectors = chain(bytes.readUInt32LE(HEADER.firstDirectorySector), nextOf).map(sectorAt);
  const directory = Buffer.concat(sectors);
  return directory.subarray(0, directory.length - (directory.length % ENTRY.size));
}

/** The sectors that hold which sector follows on which: the first are named in the header, the others in a chain. */
function fatSectors(bytes: Buffer, size: number, sectorAt: (number: number) => Buffer): number[] {
  const numbers = numbersIn(bytes.subarray(HEADER.difat, HEADER.size));
  const nextOf = (number: number) => numbersIn(sectorAt(number)).at(-1) ?? MAX_NUMBER;
  for (const number of chain(bytes.readUInt32LE(HEADER.firstDifatSector), nextOf)) {
    const sector = sectorAt(number);
    if (sector.length === size) numbers.push(...numbersIn(sector).slice(0, -1));
  }
  return numbers;
}

/** Numbers of sectors from the first on; a chain that comes back to itself ends there. */
function chain(first: number, nextOf: (number: number) => number): number[] {
  const numbers = new Set<number>();
  for (let at = first; at < MAX_NUMBER && !numbers.has(at); at = nextOf(at)) numbers.add(at);
  return [...numbers];
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4));
}
