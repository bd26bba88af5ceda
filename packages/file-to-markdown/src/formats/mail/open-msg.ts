import { createRequire } from 'node:module';
import type MsgReaderClass from '@kenjiuno/msgreader';
import type { CFileSet, CFolder, Reader } from '@kenjiuno/msgreader/lib/Reader.js';
import { openOleContainer } from '../../shared/ole/ole-container.js';
import type { OleEntry } from '../../shared/ole/ole-directory.js';

// Of a default export in CommonJS, Node.js and the test runner make different things.
const MsgReader: typeof MsgReaderClass.default = createRequire(import.meta.url)(
  '@kenjiuno/msgreader',
).default;

/** The stream with the names of properties; those that are used have numbers. */
const NAMES = '__substg1.0_00040102';

/** The reader of a message, on a container of ours: its own follows sectors that lead back to themselves for ever. */
export function openMsg(bytes: Buffer): MsgReaderClass.default {
  const fail = () => {
    throw new Error('The container of the message is damaged.');
  };
  const { entries, read } = openOleContainer(bytes, fail);

  function contentOf(entry: OleEntry | undefined): Uint8Array {
    const content = entry ? read(entry) : fail();
    // The reader takes the whole buffer that is behind an array.
    return content.length === entry?.length ? new Uint8Array(content) : fail();
  }

  // It asks for nothing else.
  const toFolder = ({ id, name, children }: OleEntry) =>
    ({
      dataId: id,
      name,
      subFolders: () => children.filter(({ isStream }) => !isStream).map(toFolder),
      fileNameSets: () => children.filter(({ isStream }) => isStream).map(toFile),
    }) as CFolder;
  const toFile = (entry: OleEntry): CFileSet => ({
    dataId: entry.id,
    name: entry.name,
    length: entry.length,
    // Thousands of properties may share one long name, which the reader would put together letter by letter for each.
    provider: () => (entry.name === NAMES ? contentOf(entry).fill(0) : contentOf(entry)),
  });
  const container: Pick<Reader, 'isMSGFile' | 'parse' | 'rootFolder' | 'readFileOf'> = {
    isMSGFile: () => true,
    parse: () => {},
    rootFolder: () => toFolder(entries[0] ?? fail()),
    readFileOf: (id) => contentOf(entries[id]),
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Object.assign(new MsgReader(view), { reader: container });
}
