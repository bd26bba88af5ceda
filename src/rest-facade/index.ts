import { chunks } from './chunks.js';
import { conversations } from './conversations.js';
import { documents } from './documents.js';
import { router } from './endpoint.js';

/** The documented REST API: each endpoint is a procedure that calls a domain procedure. */
export const restRouter = router({ conversations, documents, chunks });

export { serveRest } from './express-adapter.js';
export { createOpenApiDocument } from './openapi.js';
