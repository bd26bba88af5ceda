import { ask, type EndpointRequest, parseJson } from './ask.js';

export interface JsonRequest
  extends Pick<EndpointRequest, 'endpoint' | 'url' | 'path' | 'maxBytes' | 'signal'> {
  apiKey?: string | undefined;
  body: unknown;
}

/**
 * Posts JSON to an endpoint that runs a model.
 *
 * @returns the JSON that it answers; undefined where that is none
 * @throws EndpointError
 */
export async function postJson({ apiKey, body, ...request }: JsonRequest): Promise<unknown> {
  const { text } = await ask({
    ...request,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(apiKey) },
    body: JSON.stringify(body),
  });
  return parseJson(text);
}

/** The header of a key, if there is one. */
export const bearer = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
