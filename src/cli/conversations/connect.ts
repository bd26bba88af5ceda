import { createLectern, type Lectern, readFailure } from '../../client/index.js';
import { DomainError } from '../../errors/errors.js';
import { UsageError } from '../run-command.js';
import { printError } from '../shared/print.js';
import { readServerUrl } from '../shared/server-url.js';

export const SERVER_OPTIONS = {
  url: { type: 'string' },
  tenant: { type: 'string' },
} as const;

export const SERVER_HELP: [name: string, value: string][] = [
  ['--url', 'address of the server, such as https://lectern.example'],
  ['--tenant', 'the tenant'],
];

/** About ten minutes in all. */
const RETRY = { attempts: 120, pauseMs: 500, maxPauseMs: 10_000 };
const TEMPORARY = new Set([429, 502, 503, 504]);

/** A client of the server that a command names. It waits for a server that is away, and says so. */
export function connect({ url, tenant }: { url?: string | undefined; tenant?: string | undefined }): {
  lectern: Lectern;
  tenantId: string;
} {
  const server = readServerUrl(url);
  if (!tenant) throw new UsageError('Name the tenant, with --tenant.');
  const { LECTERN_KEY: apiKey } = process.env;
  let isAway = false;
  const tell = (what: string) => {
    if (!isAway) printError(`${server.origin} ${what}. Trying again.\n`);
    isAway = true;
  };
  const watched: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (TEMPORARY.has(response.status)) tell(`answered ${response.status}`);
      else isAway = false;
      return response;
    } catch (error) {
      const { cause = error } = error as Error;
      const { message, code } = cause as NodeJS.ErrnoException;
      tell(`does not answer: ${message || code}`);
      throw error;
    }
  };
  const options = { url: server.href, fetch: watched, retry: RETRY };
  return { lectern: createLectern({ ...options, ...(apiKey && { apiKey }) }), tenantId: tenant };
}

/** An error of the client as one for people. */
export function explainFailure(error: unknown): unknown {
  const { status, detail } = readFailure(error);
  if (status === undefined) return error;
  const sentences = detail.map(({ loc, msg }) => (loc.length > 0 ? `${loc.join('.')}: ${msg}` : msg));
  return new DomainError('invalid', sentences.join('\n') || `The server answered ${status}.`);
}
