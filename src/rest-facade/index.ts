import { chunks } from './chunks.js';
import { conversations } from './conversations.js';
import { documents } from './documents.js';
import { router } from './rest.js';

/** The documented REST API, each endpoint a procedure that calls the domain's own. */
export const restRouter = router({ conversations, documents, chunks });

export { describeRest } from './openapi.js';
export { serveRest } from './serve.js';
