import { procedures } from './app-router.js';
import { createCallerFactory, router } from './trpc.js';

export const appRouter = router(procedures);

/** Calls procedures from inside the process, with the checks that callers from outside get. */
export const createCaller = createCallerFactory(appRouter);
export type Api = ReturnType<typeof createCaller>;

export { chunkContent, chunkIds, chunkKeywords, searchQuery } from '../services/chunks/chunks.schema.js';
export { runStatuses, topic } from '../services/conversations/conversations.schema.js';
export {
  descriptionFields,
  documentStatuses,
  documentTypes,
  externalId,
  fileReference,
  sourceFields,
} from '../services/documents/documents.schema.js';
export { MAX_WAIT_SECONDS } from '../services/search/wait-until-searchable.schema.js';
export { MAX_VERSIONS } from '../services/shared/expected-version.js';
export {
  boundedArray,
  boundedJsonRecord,
  filterValue,
  identifier,
  jsonRecord,
  text,
  withMaxItems,
} from '../services/shared/fields.schema.js';
export { MAX_BATCH } from '../services/shared/pagination.js';
export type { AppRouter } from './app-router.js';
export type { ErrorDetail } from './error-shape.js';
export { type Context, errorDetailsOf, type Services, toTrpcError } from './trpc.js';
