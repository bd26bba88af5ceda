import { chunks } from './chunks.js';
import { conversations } from './conversations.js';
import { documents } from './documents.js';
import { router } from './endpoint.js';

/*
 * The documented REST API over the domain procedures of `src/routers`.
 *
 * Each endpoint is a tRPC procedure of its own (endpoint.ts): its input is the request in parts, `{ path, query, body }`, by
 * the documented schemas, and it calls one or more domain procedures, whose records it maps to the documented casing.
 * trpc-to-openapi makes openapi.json from these procedures and their metadata (openapi.ts). Its HTTP handler does not serve:
 * it drops the query of POST, PATCH and PUT and the body of DELETE, and has no forms and no `{ detail }` (decision 0003).
 * express-adapter.ts serves instead, and calls each procedure by
 * tRPC's caller: some 10 µs of about 1,000 for the cheapest read. Errors of the domain procedures, which name fields of their
 * input, are mapped to places in the request (error-locations.ts), and to status and body (errors.ts).
 */

export const restRouter = router({ conversations, documents, chunks });

export { serveRest } from './express-adapter.js';
export { createOpenApiDocument } from './openapi.js';
