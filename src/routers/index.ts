import { procedures } from './app-router.js';
import { createCallerFactory, router } from './trpc.js';

export const appRouter = router(procedures);

/** Calls procedures from inside the process, with the checks that callers from outside get. */
export const createCaller = createCallerFactory(appRouter);
export type Api = ReturnType<typeof createCaller>;

export { chunkContent, chunkIds, chunkKeywords, searchQuery } from '../services/chunks.schema.js';
export { runStatuses, topic } from '../services/conversations.schema.js';
export {
  descriptionFields,
  documentStatuses,
  documentTypes,
  externalId,
  receivedFile,
  sourceFields,
} from '../services/documents.schema.js';
export {
  filterText,
  freeObject,
  identifier,
  jsonObject,
  lengthFirst,
  listOf,
  text,
} from '../services/fields.schema.js';
export { MAX_BATCH } from '../services/paging.js';
export { MAX_WAIT_SECONDS } from '../services/searchable.schema.js';
export { MAX_VERSIONS } from '../services/versions.js';
export type { AppRouter } from './app-router.js';
export type { ErrorDetail } from './error-shape.js';
export { type Context, detailOf, type Services, toTrpcError } from './trpc.js';
