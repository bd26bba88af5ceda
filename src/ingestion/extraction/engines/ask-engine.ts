import { ask, type EndpointAnswer, type EndpointRequest } from '../../../model-endpoint/ask.js';
import { EndpointError } from '../../../model-endpoint/endpoint-error.js';

/** Of an answer with the text of a file. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Of an answer that says whether the engine is there. */
const MAX_OTHER_BYTES = 64 * 1024;

export type EngineRequest = Omit<EndpointRequest, 'endpoint' | 'maxBytes' | 'toTooLarge'>;

/**
 * Asks an engine for the text of a file.
 *
 * @throws EndpointError `isOfRequest` also where the answer is too large: it would be again
 */
export const askForText = (request: EngineRequest): Promise<EndpointAnswer> =>
  ask({
    ...request,
    endpoint: 'extraction',
    maxBytes: MAX_ANSWER_BYTES,
    toTooLarge: () => tooMuch(`${MAX_ANSWER_BYTES} bytes`),
  });

/** Asks an engine for anything else. */
export const askForStatus = (request: EngineRequest): Promise<EndpointAnswer> =>
  ask({ ...request, endpoint: 'extraction', maxBytes: MAX_OTHER_BYTES });

/** The engine made more of a file than anybody reads. */
export const tooMuch = (what: string): EndpointError =>
  new EndpointError('extraction', 'too-long', `The extraction endpoint's answer has more than ${what}.`);

/** The engine answered, and not for this file. */
export const refused = (why: string, said?: string): EndpointError =>
  new EndpointError('extraction', 'bad-request', `The extraction endpoint refuses the file: ${why}.`, {
    said,
  });
