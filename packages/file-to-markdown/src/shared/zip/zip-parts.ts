import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { decodeStream, decodeText } from '../../decode/decode-text.js';
import { corruptFileError } from '../../errors.js';
import { parseXml, type XmlElement } from '../xml/xml-tree.js';
import { endZip } from './zip-end.js';
import { preflightZip } from './zip-preflight.js';

const XML_ENCODING = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)["']/;

const DECLARATION_BYTES = 256;

/** The files inside a ZIP, by their full names, in whatever case (ECMA-376 part 2, 6.2.2). */
export interface ZipParts {
  names: string[];
  has(name: string): boolean;
  /** Bytes, unpacked; undefined where there is no such part. */
  size(name: string): number | undefined;
  /** The first bytes, fewer where there are no more. */
  head(name: string, length: number): Promise<Buffer | undefined>;
  /** Undefined where there is no such part. */
  bytes(name: string): Promise<Buffer | undefined>;
  text(name: string): Promise<string | undefined>;
  /** The text part by part, without holding it in memory; empty where there is no such part. */
  textStream(name: string): AsyncIterable<string>;
  xml(name: string): Promise<XmlElement | undefined>;
}

/**
 * Opens a ZIP that stands the preflight. A part of which `allowDamage` says so may be damaged, and fails when it is read.
 *
 * @throws ParseError `too_large`, `encrypted` or `corrupt`
 */
export async function openZipParts(
  source: Buffer,
  { allowDamage }: { allowDamage?: (name: string) => boolean } = {},
): Promise<ZipParts> {
  const ended = endZip(source);
  await preflightZip(ended, undefined, allowDamage);
  const zip = await fromBufferPromise(ended, { lazyEntries: true, decodeStrings: false });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
  const inAnyCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  const find = (name: string) => entries.get(name) ?? inAnyCase.get(name.toLowerCase());

  const read = async <T>(name: string, unpack: (entry: Entry) => Promise<T>) => {
    const entry = find(name);
    try {
      return entry && (await unpack(entry));
    } catch (error) {
      throw corruptFileError('file', error);
    }
  };
  const bytes = (name: string) => read(name, (entry) => inflate(zip, entry));
  const head = (name: string, length: number) => read(name, (entry) => inflateHead(zip, entry, length));
  const text = async (name: string) => {
    const content = await bytes(name);
    if (!content) return undefined;
    return decodeText(content, declaredEncoding(content)).text;
  };
  async function* textStream(name: string): AsyncGenerator<string> {
    const entry = find(name);
    if (!entry) return;
    const source = {
      readHead: (length: number) => inflateHead(zip, entry, length),
      stream: () => inflated(zip, entry),
    };
    try {
      yield* decodeStream(source, declaredEncoding(await source.readHead(DECLARATION_BYTES)));
    } catch (error) {
      throw corruptFileError('file', error);
    }
  }
  const xml = async (name: string) => {
    const content = await text(name);
    return content === undefined ? undefined : parseXml(content);
  };
  return {
    names: [...entries.keys()],
    has: (name) => find(name) !== undefined,
    size: (name) => find(name)?.uncompressedSize,
    head,
    bytes,
    text,
    textStream,
    xml,
  };
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

function declaredEncoding(content: Buffer): string | undefined {
  return XML_ENCODING.exec(content.subarray(0, DECLARATION_BYTES).toString('latin1'))?.[1];
}

async function inflate(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of inflated(zip, entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function inflateHead(zip: ZipFile, entry: Entry, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of inflated(zip, entry)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= length) break;
  }
  return Buffer.concat(chunks).subarray(0, length);
}

async function* inflated(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer;
}
