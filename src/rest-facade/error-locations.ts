import { TRPCError } from '@trpc/server';
import type { ErrorDetail } from '../errors/error-body.js';
import { errorDetailsOf, toTrpcError } from '../routers/index.js';
import { type RequestParts, valueAt } from './request-parts.js';

type Location = ErrorDetail['loc'];

/** An error of a domain procedure, with locations in the REST request. */
export class RestError extends TRPCError {
  constructor(
    readonly original: TRPCError,
    readonly detail: ErrorDetail[],
  ) {
    super({ code: original.code, message: original.message, cause: original });
  }
}

/** Field names that differ from the domain by more than casing. */
const RENAMED: Record<string, string[]> = {
  chunkIds: ['documentChunkIds'],
  datasetIds: ['dataset_ids'],
  customProperties: ['custom_properties'],
  documentTypes: ['types', 'type'],
  statuses: ['status'],
  page: ['page_num'],
};

/** Inputs that are headers. */
const HEADERS = new Set([
  'X-Api-Key',
  'X-Tenant-Id',
  'X-User-Id',
  'Idempotency-Key',
  'Host',
  'X-Forwarded-Host',
]);

/** Maps error locations of a domain procedure to the endpoint's request parts. */
export function mapErrorLocations(error: unknown, parts: RequestParts, input: object): RestError {
  const original = error instanceof TRPCError ? error : toTrpcError(error);
  const detail = errorDetailsOf(original).map((one) => ({ ...one, loc: locate(one.loc, parts, input) }));
  return new RestError(original, detail);
}

/** Maps an error during the upload, before the endpoint is called. */
export const toFormError = (error: TRPCError): Error =>
  new RestError(
    error,
    errorDetailsOf(error).map((one) => ({ ...one, loc: one.loc.length > 0 ? ['body', ...one.loc] : [] })),
  );

/** The location of an input that is a header; undefined for others. */
export const locateHeader = (loc: Location): Location | undefined =>
  HEADERS.has(String(loc[0])) ? ['header', ...loc] : undefined;

function locate(loc: Location, parts: RequestParts, input: object): Location {
  const header = locateHeader(loc);
  if (header) return header;
  const [name, ...rest] = loc;
  // The domain groups tenant and unit under `scope`.
  if (name === 'scope') return locate(rest, parts, input);
  if (typeof name !== 'string') return [];
  const names = [name, toSnakeCase(name), ...(RENAMED[name] ?? [])];
  const places = (['path', 'body', 'query'] as const).flatMap((part) =>
    names.filter((field) => parts[part]?.shape[field]).map((field) => [part, field] as const),
  );
  const place = places.find((candidate) => valueAt(input, candidate) != null) ?? places[0];
  if (!place) return [name, ...rest];
  // A list in the domain may be a single value in the request.
  return typeof valueAt(input, place) === 'string' ? [...place] : [...place, ...rest];
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
