import { fileTypeFromBuffer } from 'file-type';
import { utf16Variant } from './decode-text.js';
import type { SubType } from './parse/types.js';
import type { SourceBytes } from './source-bytes.js';

export interface DetectedType {
  /** Absent for a type that is not known here. */
  subType?: SubType;
  /** Without parameters, e.g. `application/pdf`. */
  mediaType: string;
}

export interface TypeHints {
  source: SourceBytes;
  fileName?: string;
  mediaType?: string;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const MEDIA_TYPES: Record<SubType, string> = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  doc: 'application/msword',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  pptx: `${OFFICE}.presentationml.presentation`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  xls: 'application/vnd.ms-excel',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  html: 'text/html',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  yaml: 'application/yaml',
  txt: 'text/plain',
};

/** Media types that name a kind of text; whatever else is called text is not a reason to think so. */
const BY_MEDIA_TYPE: Record<string, SubType> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'message/rfc822': 'eml',
};

const BY_EXTENSION: Record<string, SubType> = {
  ...{ csv: 'csv', tsv: 'tsv', tab: 'tsv', md: 'md', markdown: 'md', mdx: 'md' },
  ...{ html: 'html', htm: 'html', xhtml: 'html', json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' },
  ...{ xml: 'xml', yaml: 'yaml', yml: 'yaml', eml: 'eml', txt: 'txt' },
};

/** By what the file-type library calls an extension; templates and files with macros hold the same text. */
const BY_MAGIC: Record<string, SubType> = {
  ...{
    pdf: 'pdf',
    docx: 'docx',
    docm: 'docx',
    dotx: 'docx',
    dotm: 'docx',
    odt: 'odt',
    ott: 'odt',
    rtf: 'rtf',
  },
  ...{ pptx: 'pptx', pptm: 'pptx', potx: 'pptx', potm: 'pptx', ppsx: 'pptx', ppsm: 'pptx', epub: 'epub' },
  ...{ xlsx: 'xlsx', xlsm: 'xlsx', xltx: 'xlsx', xltm: 'xlsx' },
};

/** The media type given for an OLE container around an encrypted Office file ([MS-OFFCRYPTO] 2.3.4.4). */
export const ENCRYPTED_OFFICE = 'application/encrypted';
/** What an OLE container is, by a name in its directory, which is written in UTF-16. */
const OLE_CONTENT: [name: string, type: DetectedType][] = [
  ['EncryptedPackage', { mediaType: ENCRYPTED_OFFICE }],
  ['WordDocument', { subType: 'doc', mediaType: 'application/msword' }],
  ['__substg1.0_', { subType: 'msg', mediaType: 'application/vnd.ms-outlook' }],
  ['Workbook', { subType: 'xls', mediaType: 'application/vnd.ms-excel' }],
  ['Book\0', { subType: 'xls', mediaType: 'application/vnd.ms-excel' }],
];
const HEAD = 4096;
/** Readers accept junk before the header within the first kilobyte (ISO 32000-1, annex H, note 13). */
const PDF_HEADER_WITHIN = 1024;
const MAX_CONTROLS = 0.05;
const JSON_TO_CHECK = 2 ** 20;

/**
 * What a file is: by its content; where that is text of no certain kind, by the media type; then by the name.
 * Magic numbers count for binary content only: several are plain words (`BM`, `II`) that a text may open with.
 */
export async function detectType(hints: TypeHints): Promise<DetectedType> {
  const head = await hints.source.head(HEAD);
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return typed('pdf');
  if (!isText(head)) return byMagic(await hints.source.whole());
  return typed(
    (await byTextContent(head, hints.source)) ??
      byMediaType(hints.mediaType) ??
      byName(hints.fileName) ??
      'txt',
  );
}

function typed(subType: SubType): DetectedType {
  return { subType, mediaType: MEDIA_TYPES[subType] };
}

async function byMagic(bytes: Buffer): Promise<DetectedType> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const subType = BY_MAGIC[found?.ext ?? ''];
  if (subType) return typed(subType);
  const ole = found?.ext === 'cfb' && OLE_CONTENT.find(([name]) => bytes.includes(name, 0, 'utf16le'));
  if (ole) return ole[1];
  return { mediaType: found?.mime ?? 'application/octet-stream' };
}

/**
 * Text has no control characters but white space and escape; a few are let pass in valid UTF-8, which binary
 * content hardly ever is. UTF-16 is text with zero bytes.
 */
function isText(head: Buffer): boolean {
  if (utf16Variant(head)) return true;
  const controls = head.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0);
  return controls === 0 || (controls <= head.length * MAX_CONTROLS && isUtf8(head));
}

function isControl(byte: number): boolean {
  return byte < 32 && (byte < 8 || byte > 13) && byte !== 26 && byte !== 27;
}

function isUtf8(head: Buffer): boolean {
  try {
    // `stream` forgives a character that the end of the sample divides.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

async function byTextContent(head: Buffer, source: SourceBytes): Promise<SubType | undefined> {
  const encoding = utf16Variant(head) ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(head).trimStart();
  if (text.startsWith('{\\rtf')) return 'rtf';
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--.{0,1000}?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/is.test(text))
    return 'html';
  if (text.startsWith('<?xml')) return 'xml';
  if (isMail(text)) return 'eml';
  if (/^[{[]/.test(text) && source.size <= JSON_TO_CHECK && isJson(await source.whole(), encoding))
    return 'json';
  return undefined;
}

/** At least two of the headers that only mail has, among header lines from the first line on. */
function isMail(text: string): boolean {
  const headers = /^(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/.exec(text.replaceAll('\r', ''))?.[0] ?? '';
  const known = headers.match(/^(?:From|To|Subject|Date|Received|Message-ID|MIME-Version|Return-Path):/gim);
  return (known?.length ?? 0) >= 2 && /^(?:From|Received|MIME-Version):/im.test(headers);
}

function isJson(bytes: Uint8Array, encoding: string): boolean {
  try {
    return typeof JSON.parse(new TextDecoder(encoding).decode(bytes)) === 'object';
  } catch {
    return false;
  }
}

function byMediaType(mediaType = ''): SubType | undefined {
  return BY_MEDIA_TYPE[mediaType.split(';')[0]?.trim().toLowerCase() ?? ''];
}

function byName(fileName = ''): SubType | undefined {
  return BY_EXTENSION[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''];
}
