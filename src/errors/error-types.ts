import type { z } from 'zod';
import type { FailureCode } from './failure-codes.js';

interface TypeAbout {
  statuses: number[];
  meaning: string;
}

/** Every `type` of an error, but for those of failed previews. One that is not listed here does not compile. */
export const errorTypes = {
  value_error: { statuses: [422], meaning: 'A value is not valid. The message says why.' },
  'value_error.too_big': { statuses: [422], meaning: 'A text, list or number is larger than allowed.' },
  'value_error.too_small': { statuses: [422], meaning: 'A text, list or number is smaller than allowed.' },
  'value_error.invalid_type': {
    statuses: [422],
    meaning: 'A value has the wrong JSON type. In tRPC: also one that is missing.',
  },
  'value_error.invalid_format': { statuses: [422], meaning: 'A text does not have the required form.' },
  'value_error.invalid_value': { statuses: [422], meaning: 'A value is not one of the allowed ones.' },
  'value_error.invalid_union': { statuses: [422], meaning: 'A value fits none of the allowed shapes.' },
  'value_error.invalid_key': { statuses: [422], meaning: 'The key of an object is not valid.' },
  'value_error.invalid_element': { statuses: [422], meaning: 'An element is not valid.' },
  'value_error.not_multiple_of': {
    statuses: [422],
    meaning: 'A number is not a multiple of the required one.',
  },
  'value_error.unrecognized_keys': {
    statuses: [422],
    meaning: 'A field is unknown. REST ignores unknown fields.',
  },
  'value_error.custom': { statuses: [422], meaning: 'Values contradict each other, or break another rule.' },
  'value_error.url': { statuses: [422], meaning: 'The URL of a webhook is not allowed.' },
  'value_error.unknown_file': {
    statuses: [422],
    meaning: 'The uploaded file does not exist, or a document already uses it.',
  },
  'value_error.sitemap_unavailable': {
    statuses: [422],
    meaning: 'The sitemap could not be fetched. Try again later.',
  },
  missing: {
    statuses: [422],
    meaning: 'A required field or parameter is missing, or the tenant unit must be named.',
  },
  json_invalid: { statuses: [422], meaning: 'The body is not valid JSON.' },
  multipart_invalid: { statuses: [422], meaning: 'The body is not a valid form.' },
  idempotency_key_reused: { statuses: [422], meaning: 'The `Idempotency-Key` was used for another request.' },
  http_error: { statuses: [400, 417], meaning: 'The request is not valid HTTP.' },
  unauthorized: { statuses: [401], meaning: 'The API key is missing or not valid.' },
  forbidden: {
    statuses: [403],
    meaning: 'The API key lacks the permission, or has no access to the tenant or unit.',
  },
  not_found: { statuses: [404], meaning: 'The id or path does not exist, or belongs to another tenant.' },
  method_not_allowed: { statuses: [405], meaning: 'The path does not support the method.' },
  request_timeout: {
    statuses: [408],
    meaning: 'The request did not arrive within `REQUEST_TIMEOUT_SECONDS`.',
  },
  conflict: {
    statuses: [409],
    meaning: 'The id is taken, or the record is in a state that does not allow this.',
  },
  idempotency_key_in_use: {
    statuses: [409],
    meaning: 'A request with the same `Idempotency-Key` is still running.',
  },
  'quota_exceeded.documents': { statuses: [409], meaning: 'The write exceeds `QUOTA_DOCUMENTS`.' },
  'quota_exceeded.chunks': { statuses: [409], meaning: 'The quota `QUOTA_CHUNKS` is used up.' },
  'quota_exceeded.bytes': { statuses: [409], meaning: 'The write exceeds `QUOTA_STORED_BYTES`.' },
  'quota_exceeded.unclaimed_files': {
    statuses: [409],
    meaning: 'The tenant has too many uploaded files that no document uses.',
  },
  'quota_exceeded.webhooks': { statuses: [409], meaning: 'The tenant has too many webhooks.' },
  precondition_failed: {
    statuses: [412],
    meaning:
      'The record has another version than `If-Match` or `expectedVersion`. Read it again, then repeat the change.',
  },
  too_large: {
    statuses: [413, 431],
    meaning:
      'The body is larger than allowed, the address and headers together are, or there are too many headers.',
  },
  unsupported_media_type: {
    statuses: [415],
    meaning: 'The media type, charset or encoding is not supported.',
  },
  misdirected: { statuses: [421], meaning: 'The host name is not in `ALLOWED_HOSTS`.' },
  too_many_requests: {
    statuses: [429],
    meaning: 'A rate limit or a concurrency limit is reached. See `Retry-After`.',
  },
  internal_server_error: {
    statuses: [500],
    meaning: 'An unexpected error. The server log has details under `X-Request-Id`.',
  },
  unavailable: {
    statuses: [503],
    meaning: 'The database, the storage or another server is unavailable. See `Retry-After`.',
  },
  invalid: { statuses: [422], meaning: 'The same as `value_error`, where there is no detail.' },
} as const satisfies Record<string, TypeAbout>;

type ListedType = keyof typeof errorTypes;
/** Of inputs that zod rejects. */
export type IssueType = `value_error.${z.core.$ZodIssue['code']}` & ListedType;
/** What is wrong, as a word for programs. */
export type ErrorType = ListedType | `value_error.${FailureCode}`;
