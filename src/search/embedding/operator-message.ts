import { EndpointError } from '../model-endpoint/endpoint-error.js';

/** A message for operators that says what to do. */
export function toOperatorMessage(error: unknown): string {
  if (error instanceof EndpointError) return `${error.message} ${adviceFor(error)}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
}

/** What to do about it; empty where the message says it. */
export function adviceFor({ failure, details: { status } }: EndpointError): string {
  if (failure === 'other-dimensions') return '';
  if (failure === 'limited') return 'Check the limits of the account.';
  if (failure === 'text-refused') return 'Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.';
  if (status === 401 || status === 403) return 'Check EMBEDDING_API_KEY.';
  if (status === 404) {
    return 'Check EMBEDDING_MODEL, and that EMBEDDING_URL is the address of the API, which mostly ends with /v1.';
  }
  return 'Check EMBEDDING_URL, and whether the endpoint runs.';
}
