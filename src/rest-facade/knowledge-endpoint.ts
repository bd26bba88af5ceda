import { etagHeader, ifMatchHeader } from './etag.js';
import { waitHeaders } from './prefer-header.js';
import { apiKeyHeader } from './shared.schema.js';

/** What the endpoints for documents and those for chunks have in common, by what they do. */
export function knowledgeEndpoint(tag: string) {
  const common = { tags: [tag], requestHeaders: apiKeyHeader };
  /** With `Prefer: wait`. */
  const waiting = { ...common, ...waitHeaders };
  /** Also with `ETag`. */
  const created = { ...waiting, responseHeaders: waitHeaders.responseHeaders.extend(etagHeader.shape) };
  /** Also with `If-Match`. */
  const changed = {
    ...created,
    versioned: true,
    requestHeaders: waitHeaders.requestHeaders.extend(ifMatchHeader.shape),
  };
  return { common, waiting, created, changed };
}
