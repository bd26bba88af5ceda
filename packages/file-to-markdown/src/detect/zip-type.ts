import { fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import { endZip } from '../shared/zip/zip-end.js';
import type { SubType } from '../types.js';

/** The parts without which there is no document, where nothing else in a ZIP says what it is. */
const MAIN_PARTS: [name: string, subType: SubType][] = [
  ['word/document.xml', 'docx'],
  ['ppt/presentation.xml', 'pptx'],
  ['xl/workbook.xml', 'xlsx'],
  ['meta-inf/container.xml', 'epub'],
];
const MAX_ENTRIES = 10_000;

/** What a ZIP holds by the names of its parts; undefined for one that is no document, or is damaged. */
export async function detectZipType(bytes: Buffer): Promise<SubType | undefined> {
  const names = new Set<string>();
  try {
    const zip = await fromBufferPromise(endZip(bytes), { lazyEntries: true, decodeStrings: false });
    for await (const { generalPurposeBitFlag, fileNameRaw, extraFields } of zip.eachEntry()) {
      const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
      names.add(name.replace(/^[./]+/, '').toLowerCase());
      if (names.size > MAX_ENTRIES) return undefined;
    }
  } catch {
    return undefined;
  }
  return MAIN_PARTS.find(([name]) => names.has(name))?.[1];
}
