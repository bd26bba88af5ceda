import type { SubType } from '../types.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

export const MEDIA_TYPES: Record<SubType, string> = {
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
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  tiff: 'image/tiff',
  heic: 'image/heic',
};

/** Media types that name a kind of text; whatever else is called text is not a reason to think so. */
export const BY_MEDIA_TYPE: Record<string, SubType> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'message/rfc822': 'eml',
  'application/mbox': 'eml',
  'multipart/related': 'eml',
};

export const BY_EXTENSION: Record<string, SubType> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  md: 'md',
  markdown: 'md',
  mdx: 'md',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  json: 'json',
  geojson: 'json',
  ipynb: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  xml: 'xml',
  rss: 'xml',
  atom: 'xml',
  svg: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  eml: 'eml',
  mbox: 'eml',
  mht: 'eml',
  mhtml: 'eml',
};

export function typeByMediaType(mediaType = ''): SubType | undefined {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.endsWith('+json')) return 'json';
  return BY_MEDIA_TYPE[type] ?? (type.endsWith('+xml') ? 'xml' : undefined);
}

export function typeByFileName(fileName = ''): SubType | undefined {
  return BY_EXTENSION[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''];
}
