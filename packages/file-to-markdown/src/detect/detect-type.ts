import { fileTypeFromBuffer } from 'file-type';
import { createDecoder, detectWideEncoding } from '../decode/decode-text.js';
import { ParseError } from '../errors.js';
import { findZip } from '../shared/zip/zip-end.js';
import type { SourceBytes } from '../source-bytes.js';
import type { SubType } from '../types.js';
import { isText } from './is-text.js';
import { detectJsonType } from './json-type.js';
import { detectOleType } from './ole-type.js';
import { typeByHeuristics } from './type-by-heuristics.js';
import { MEDIA_TYPES, typeByFileName, typeByMediaType } from './type-by-hint.js';
import { typeBySignature } from './type-by-signature.js';
import { detectZipType } from './zip-type.js';

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

/** By what the file-type library calls an extension; templates and files with macros hold the same text. */
export const BY_MAGIC: Record<string, SubType> = {
  pdf: 'pdf',
  epub: 'epub',
  rtf: 'rtf',
  odt: 'odt',
  ott: 'odt',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  dotm: 'docx',
  pptx: 'pptx',
  pptm: 'pptx',
  potx: 'pptx',
  potm: 'pptx',
  ppsx: 'pptx',
  ppsm: 'pptx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  xltm: 'xlsx',
  png: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  tif: 'tiff',
  heic: 'heic',
};

/** The media type given for an OLE container around an encrypted Office file ([MS-OFFCRYPTO] 2.3.4.4). */
export const ENCRYPTED_OFFICE = 'application/encrypted';
/** Type and length of the record that begins a workbook of Excel 2, 3 and 4. */
const OLD_WORKBOOKS = ['09000400', '09020600', '09040600'];
const HEAD = 64 * 1024;
/** Enough to tell text from binary content, which need not keep its zeros to the beginning. */
const TEXT_HEAD = 4096;
/** Readers accept junk before the header within the first kilobyte (ISO 32000-1, annex H, note 13). */
const PDF_HEADER_WITHIN = 1024;

/**
 * What a file is: by its content; where that is text of no certain kind, by the media type; then by the name; and
 * where these tell nothing, by what the text looks like. Magic numbers count for binary content only: several are
 * plain words (`BM`, `II`) that a text may open with.
 *
 * @throws ParseError `unsupported_type` where a program can save the file in a newer format
 */
export async function detectType({ source, mediaType, fileName }: TypeHints): Promise<DetectedType> {
  const head = await source.readHead(HEAD);
  if (isPdf(head)) return typed('pdf');
  if (isOldWorkbook(head)) return typed('xls');
  if (!isText(head.subarray(0, TEXT_HEAD))) return typeByMagicNumber(await source.readAll());
  const text = createDecoder(detectWideEncoding(head) ?? 'utf-8')
    .decode(head)
    .trimStart();
  return typed(
    typeBySignature(text) ??
      (await detectJsonType(text, source)) ??
      ifMailHasHeader(typeByMediaType(mediaType), text) ??
      ifMailHasHeader(typeByFileName(fileName), text) ??
      typeByHeuristics(text, head.length === source.size) ??
      'txt',
  );
}

function typed(subType: SubType): DetectedType {
  return { subType, mediaType: MEDIA_TYPES[subType] };
}

/** A text that is only called a mail, such as one that took the place of a mail, would lose its first paragraph as header. */
const ifMailHasHeader = (hinted: SubType | undefined, text: string): SubType | undefined =>
  hinted === 'eml' && !/^(?:[!-9;-~]+:|From )/.test(text) ? undefined : hinted;

/** Further down, the header is one only with an object behind it: a text may speak of PDF. */
function isPdf(head: Buffer): boolean {
  const start = head.subarray(0, PDF_HEADER_WITHIN).indexOf('%PDF-');
  return start === 0 || (start > 0 && /\d \d+ obj\b/.test(head.toString('latin1', start)));
}

/** Before Excel 5 a workbook is not in a container: its first record says that a sheet begins. */
function isOldWorkbook(head: Buffer): boolean {
  return OLD_WORKBOOKS.some((start) => head.subarray(0, 4).toString('hex') === start);
}

async function typeByMagicNumber(bytes: Buffer): Promise<DetectedType> {
  const found = (await fileTypeOf(bytes)) ?? (await fileTypeOf(bytes.subarray(Math.max(0, findZip(bytes)))));
  const subType =
    BY_MAGIC[found?.ext ?? ''] ?? (found?.ext === 'zip' ? await detectZipType(bytes) : undefined);
  if (subType) return typed(subType);
  const ole = found?.ext === 'cfb' ? detectOleType(bytes) : undefined;
  if (ole === 'encrypted') return { mediaType: ENCRYPTED_OFFICE };
  if (ole === 'ppt') throw oldSlides();
  return ole ? typed(ole) : { mediaType: found?.mime ?? 'application/octet-stream' };
}

async function fileTypeOf(bytes: Buffer) {
  return fileTypeFromBuffer(bytes).catch(() => undefined);
}

function oldSlides(): ParseError {
  const message = 'The slides were written by PowerPoint 2003 or older; save them as pptx and upload that.';
  return new ParseError('unsupported_type', message);
}
