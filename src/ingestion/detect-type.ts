import { fileTypeFromBuffer } from 'file-type';
import { utf16Variant } from './decode-text.js';
import type { SubType } from './parse/types.js';

export interface DetectedType {
  /** Absent for a type that is not known here. */
  subType?: SubType;
  /** Without parameters, e.g. `application/pdf`. */
  mediaType: string;
}

export interface TypeHints {
  bytes: Uint8Array;
  fileName?: string;
  mediaType?: string;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const MEDIA_TYPES: Record<SubType, string> = {
  pdf: 'application/pdf',
  docx: `${OFFICE}.wordprocessingml.document`,
  pptx: `${OFFICE}.presentationml.presentation`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  csv: 'text/csv',
  md: 'text/markdown',
  html: 'text/html',
  txt: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  odt: 'application/vnd.oasis.opendocument.text',
};

/** Media types that name a kind of text; whatever else is called text is not a reason to think so. */
const BY_MEDIA_TYPE: Record<string, SubType> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'message/rfc822': 'eml',
};

const BY_EXTENSION: Record<string, SubType> = {
  ...{ csv: 'csv', tsv: 'csv', tab: 'csv', md: 'md', markdown: 'md', mdx: 'md' },
  ...{ html: 'html', htm: 'html', xhtml: 'html', json: 'json', ndjson: 'json', jsonl: 'json' },
  ...{ xml: 'xml', eml: 'eml', txt: 'txt' },
};

const BINARY = new Set<string>(['pdf', 'docx', 'pptx', 'xlsx', 'epub', 'odt', 'rtf']);
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
  const { bytes } = hints;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD));
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return typed('pdf');
  if (!isText(head)) return byMagic(bytes);
  return typed(byTextContent(head, bytes) ?? byMediaType(hints.mediaType) ?? byName(hints.fileName) ?? 'txt');
}

function typed(subType: SubType): DetectedType {
  return { subType, mediaType: MEDIA_TYPES[subType] };
}

async function byMagic(bytes: Uint8Array): Promise<DetectedType> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && BINARY.has(found.ext)) return typed(found.ext as SubType);
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

function byTextContent(head: Buffer, bytes: Uint8Array): SubType | undefined {
  const encoding = utf16Variant(head) ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(head).trimStart();
  if (text.startsWith('{\\rtf')) return 'rtf';
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--.{0,1000}?-->\s*)*<(?:!doctype html|html|head|body)[\s>]/is.test(text))
    return 'html';
  if (text.startsWith('<?xml')) return 'xml';
  if (isMail(text)) return 'eml';
  if (/^[{[]/.test(text) && bytes.length <= JSON_TO_CHECK && isJson(bytes, encoding)) return 'json';
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
