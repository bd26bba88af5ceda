import { CFB } from '@e965/xlsx';
import { corruptFileError } from '../../errors.js';
import { findStream, openOleContainer } from '../../shared/ole/ole-container.js';

const SIGNATURE = 0xe011cfd0;
/** What is read of an old workbook: its sheets, its properties, and whether it is behind a password. */
const STREAMS = [
  'Workbook',
  'Book',
  '\u0005SummaryInformation',
  '\u0005DocumentSummaryInformation',
  'EncryptedPackage',
];

/** Before Excel 5 a workbook is in no container. */
export const isXlsContainer = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === SIGNATURE;

/** The streams of an old workbook by their names. */
export function readXlsStreams(bytes: Buffer): Map<string, Buffer> {
  const { entries, read } = openOleContainer(bytes, () => {
    throw corruptFileError('workbook');
  });
  return new Map(
    STREAMS.flatMap((name) => {
      const entry = findStream(entries[0], name);
      return entry ? [[name, read(entry)] as const] : [];
    }),
  );
}

/** A container with these streams: the library follows sectors that lead back to themselves for ever. */
export function writeXlsContainer(streams: Map<string, Buffer>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of streams) CFB.utils.cfb_add(container, `/${name}`, content);
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}
