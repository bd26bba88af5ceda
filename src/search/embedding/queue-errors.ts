import {
  type EndpointError,
  type EndpointFailure,
  endpointFailures,
} from '../../model-endpoint/endpoint-error.js';
import { adviceFor, describeFailure } from '../../model-endpoint/operator-message.js';

const TENANT_QUOTA = 'tenant-quota';

/** Why a text waits, as the queue keeps it: a code of ours with a number, and nobody's words. */
export const toQueueError = ({ failure, details: { status } }: EndpointError): string =>
  [failure, status ?? []].flat().join(' ');

/** Likewise where its tenant has used its tokens. */
export const toQuotaError = (tokens: number): string => `${TENANT_QUOTA} ${tokens}`;

/** A sentence for a stored reason. Former releases stored what the endpoint said: that is not repeated. */
export function describeQueueError(stored: string): string {
  const [, code, number] = /^([a-z-]+)(?: (\d+))?$/.exec(stored) ?? [];
  if (code === TENANT_QUOTA) return `The tenant has used its ${number} embedded tokens.`;
  if (!isFailure(code)) return 'The embedding endpoint did not embed it.';
  const status = number === undefined ? undefined : Number(number);
  return `${describeFailure('embedding', code, status)} ${adviceFor('embedding', code)}`.trimEnd();
}

const isFailure = (code: string | undefined): code is EndpointFailure =>
  endpointFailures.some((failure) => failure === code);
