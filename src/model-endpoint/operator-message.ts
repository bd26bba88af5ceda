import { EndpointError, type EndpointFailure, type ModelEndpoint } from './endpoint-error.js';

/** What an answer with a failure says, in our words. */
const REASONS: Record<EndpointFailure, string> = {
  unauthorized: 'it refuses the key, or asks for one',
  'quota-exhausted': 'the quota of the account is used up',
  'not-found': 'it has no such model or address',
  'rate-limited': 'too many requests',
  'too-long': 'the input is too long',
  'bad-request': 'it refuses the request',
  'other-dimensions': 'its vectors have other dimensions',
  unavailable: 'it fails',
  'timed-out': 'it was not ready in time',
  malformed: 'its answer cannot be used',
};

/** @param status undefined where there was none */
export const describeFailure = (
  endpoint: ModelEndpoint,
  failure: EndpointFailure,
  status: number | undefined,
): string =>
  status === undefined
    ? `The ${endpoint} endpoint gave nothing: ${REASONS[failure]}.`
    : `The ${endpoint} endpoint answered ${status}: ${REASONS[failure]}.`;

/** A message for operators that says what to do. */
export function toOperatorMessage(error: unknown): string {
  if (error instanceof EndpointError)
    return `${error.message} ${adviceFor(error.endpoint, error.failure)}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
}

/** What to do about it; empty where the message says it. */
export function adviceFor(endpoint: ModelEndpoint, failure: EndpointFailure): string {
  const name = endpoint.toUpperCase();
  switch (failure) {
    case 'other-dimensions':
      return '';
    case 'unauthorized':
      return `Check ${name}_API_KEY.`;
    case 'quota-exhausted':
      return 'Check the plan and the billing of the account.';
    case 'rate-limited':
      return 'Check the limits of the account.';
    case 'too-long':
      return TOO_LONG[endpoint];
    case 'bad-request':
      return `Check ${SETTINGS[endpoint]}.`;
    case 'not-found':
      return ADDRESSES[endpoint];
    default:
      return `Check ${name}_URL, and whether the endpoint runs.`;
  }
}

const SMALLER_CHUNKS = 'Choose a model that reads longer texts, or a smaller CHUNK_SIZE.';
const TOO_LONG: Record<ModelEndpoint, string> = {
  embedding: SMALLER_CHUNKS,
  rerank: SMALLER_CHUNKS,
  extraction: 'Check EXTRACTION_MAX_FILE_MB, and what the engine itself limits.',
};

/** What endpoints refuse in a request, besides texts. */
const SETTINGS: Record<ModelEndpoint, string> = {
  embedding: 'EMBEDDING_MODEL and EMBEDDING_DIMENSIONS',
  rerank: 'RERANK_MODEL',
  extraction: 'whether the engine reads files of this type, and EXTRACTION_LANGUAGES',
};

const ofModels = (name: string): string =>
  `Check ${name}_MODEL, and that ${name}_URL is the address of the API, which mostly ends with /v1.`;
const ADDRESSES: Record<ModelEndpoint, string> = {
  embedding: ofModels('EMBEDDING'),
  rerank: ofModels('RERANK'),
  extraction: 'Check EXTRACTION_API, EXTRACTION_URL, and EXTRACTION_MODEL if the API is openai.',
};
