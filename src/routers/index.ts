import { apiKeys } from './api-keys.js';
import { audit } from './audit.js';
import { chunks } from './chunks.js';
import { conversations } from './conversations.js';
import { documents } from './documents.js';
import { files } from './files.js';
import { messages } from './messages.js';
import { search } from './search.js';
import { createCallerFactory, router } from './trpc.js';
import { webhooks } from './webhooks.js';

export const appRouter = router({
  conversations,
  messages,
  documents,
  chunks,
  files,
  search,
  audit,
  apiKeys,
  webhooks,
});

/** For front ends: `createTRPCClient<AppRouter>(…)`. */
export type AppRouter = typeof appRouter;

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
export { type Context, detailOf, type ErrorDetail, type Services, toTrpcError } from './trpc.js';
