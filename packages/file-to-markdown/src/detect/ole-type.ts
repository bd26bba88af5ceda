import { openOleContainer } from '../shared/ole/ole-container.js';
import type { SubType } from '../types.js';

/** What an OLE container holds: a type that is read, an Office file behind a password, or slides. */
export type OleType = SubType | 'encrypted' | 'ppt';

/** By a name in the root storage; whatever lies deeper belongs to an object within the file. */
const BY_NAME: [name: string, type: OleType][] = [
  ['__properties_version1.0', 'msg'],
  ['encryptedpackage', 'encrypted'],
  ['worddocument', 'doc'],
  ['workbook', 'xls'],
  ['book', 'xls'],
  ['powerpoint document', 'ppt'],
];

/** Names are compared without case ([MS-CFB] 2.6.4), and some programs write them in capitals. */
export function detectOleType(bytes: Buffer): OleType | undefined {
  const [root] = openOleContainer(bytes).entries;
  const names = new Set(root?.children.map(({ name }) => name.toLowerCase()));
  return BY_NAME.find(([name]) => names.has(name))?.[1];
}
