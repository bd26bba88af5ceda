import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { decodeText } from '../decode-text.js';
import { corruptFileError } from './parse-error.js';
import { parseXml, type XmlElement } from './xml-tree.js';
import { endZip } from './zip-end.js';
import { preflightZip } from './zip-preflight.js';

const XML_ENCODING = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)["']/;

/** The files inside a ZIP, by their full names, in whatever case (ECMA-376 part 2, 6.2.2). */
export interface ZipParts {
  names: string[];
  has(name: string): boolean;
  /** Undefined where there is no such part. */
  bytes(name: string): Promise<Buffer | undefined>;
  text(name: string): Promise<string | undefined>;
  xml(name: string): Promise<XmlElement | undefined>;
}

/**
 * Opens a ZIP that stands the preflight. With `allowDamage`, a part that is damaged fails when it is read.
 *
 * @throws ParseError `too_large`, `encrypted` or `corrupt`
 */
export async function openZipParts(
  source: Buffer,
  { allowDamage = false }: { allowDamage?: boolean } = {},
): Promise<ZipParts> {
  const ended = endZip(source);
  await preflightZip(ended, undefined, allowDamage);
  const zip = await fromBufferPromise(ended, { lazyEntries: true, decodeStrings: false });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
  const inAnyCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  const find = (name: string) => entries.get(name) ?? inAnyCase.get(name.toLowerCase());

  const bytes = async (name: string) => {
    const entry = find(name);
    try {
      return entry && (await inflate(zip, entry));
    } catch (error) {
      throw corruptFileError('file', error);
    }
  };
  const text = async (name: string) => {
    const content = await bytes(name);
    if (!content) return undefined;
    const declared = XML_ENCODING.exec(content.subarray(0, 256).toString('latin1'))?.[1];
    return decodeText(content, declared).text;
  };
  const xml = async (name: string) => {
    const content = await text(name);
    return content === undefined ? undefined : parseXml(content);
  };
  return { names: [...entries.keys()], has: (name) => find(name) !== undefined, bytes, text, xml };
}

/** A part without which there is no document. */
export function requirePart<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw corruptFileError(what);
  return part;
}

/** Some programs write paths from the root. Nothing is unpacked to a disk, so that none leads out of a folder. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(
    /^(?:\.?\/)+/,
    '',
  );
}

async function inflate(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
