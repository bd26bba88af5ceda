import type { ClientRequest } from 'node:http';

/** 1xx, which Node.js and `fetch` read for ever. */
export const MAX_INTERIM_RESPONSES = 16;

/** Calls `onTooMany` once, when a server has sent more interim responses to a request than it may. */
export function limitInterimResponses(request: ClientRequest, onTooMany: () => void): void {
  let count = 0;
  request.on('information', () => {
    if (++count === MAX_INTERIM_RESPONSES + 1) onTooMany();
  });
}
