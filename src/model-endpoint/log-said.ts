import type { Logger } from 'pino';
import { EndpointError } from './endpoint-error.js';

/** Logs what an endpoint said of its failure, at level debug alone: it may repeat texts. The log redacts keys. */
export function logSaid(log: Logger, error: unknown): void {
  if (!(error instanceof EndpointError) || !error.details.said) return;
  const { endpoint, failure, details } = error;
  log.debug({ endpoint, failure, status: details.status, said: details.said }, 'a model endpoint failed');
}
