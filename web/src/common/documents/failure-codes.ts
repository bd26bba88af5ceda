import type { documentMessages } from './messages';

export type Advice = keyof typeof documentMessages.en.advice;

/** What to do about a failure, by the code that the server gives it. */
const KINDS: Record<string, Advice> = {
  encrypted: 'encrypted',
  corrupt: 'damaged',
  parser_crashed: 'damaged',
  broken_body: 'damaged',
  unsupported_type: 'format',
  archived: 'format',
  scanned: 'scanned',
  unknown_characters: 'scanned',
  nothing_recognized: 'unread',
  extraction_unavailable: 'again',
  empty_text: 'empty',
  too_large: 'split',
  too_much_text: 'split',
  too_many_chunks: 'split',
  out_of_memory: 'split',
  timeout: 'split',
  unreachable: 'address',
  http_status: 'address',
  invalid_url: 'address',
  too_many_redirects: 'address',
  tls: 'address',
  not_found: 'address',
  blocked_address: 'access',
  bucket_not_allowed: 'access',
  access_denied: 'access',
  storage_not_supported: 'access',
  file_missing: 'missing',
  quota_exceeded: 'quota',
  cancelled: 'cancelled',
};

/** Those of what may pass by itself: no source has to be changed first. */
const PASSING = [
  'unreachable',
  'http_status',
  'broken_body',
  'storage_unavailable',
  'extraction_unavailable',
  'timeout',
  'parser_crashed',
  'worker_died',
  'interrupted',
  'cancelled',
  'internal',
];

export const adviceOf = (code: string, isRetryable: boolean): Advice =>
  KINDS[code] ?? (isRetryable ? 'again' : 'source');

/** Whether documents that failed with this code may be processed as they are. */
export const mayPass = (code: string): boolean => PASSING.includes(code);
