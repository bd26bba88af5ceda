import { procedures } from './app-router.js';
import { createDirectCallerFactory } from './direct-caller.js';
import { router } from './trpc.js';

export const appRouter = router(procedures);

/** Calls procedures from inside the process, with the checks that callers from outside get. */
export const createCaller = createDirectCallerFactory<Api>(procedures);
export type Api = ReturnType<typeof appRouter.createCaller>;

export {
  chunkContent,
  chunkFilter,
  chunkIds,
  chunkKeywords,
  chunkStatus,
} from '../services/chunks/chunks.schema.js';
export {
  conversationFilter,
  newConversationDefaults,
  runStatus,
  topic,
} from '../services/conversations/conversations.schema.js';
export { messageFilter } from '../services/conversations/messages.schema.js';
export {
  descriptionFields,
  documentFilter,
  documentStatus,
  documentType,
  externalId,
  fileReference,
  sourceFields,
  storageType,
} from '../services/documents/documents.schema.js';
export type { LimitsInUse } from '../services/overview/overview.schema.js';
export { joinChunks } from '../services/search/join-chunks.js';
export { chunkSearch, searchEngine, searchHit, searchMode } from '../services/search/search.schema.js';
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
export { MAX_JSON_VALUES } from '../services/shared/json-limits.js';
export type { Page } from '../services/shared/pagination.js';
export { type TextSpan, textSpan } from '../services/shared/text-span.schema.js';
export type { AppRouter } from './app-router.js';
export { createBatch } from './batch.js';
export type { Meta } from './meta.js';
export { type Context, denialOf, errorDetailsOf, httpStatusOf, type Services, toTrpcError } from './trpc.js';
