import { withDeadline } from '../../async/linked-signals.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import type { Pacer } from '../../model-endpoint/pacer.js';
import { estimateTokens } from './count-tokens.js';
import { type EmbeddingEndpoint, embedTexts } from './endpoint.js';
import type { RequestSize } from './request-size.js';

/** A text is not cut to less. */
const MIN_LENGTH = 100;
const REQUEST_TIMEOUT_MS = 60_000;

export interface EmbeddedPassage {
  vector: Float32Array;
  tokens: number;
  /** Whether the text was too long for the model. */
  isCut: boolean;
}

export interface PassageRequest {
  endpoint: EmbeddingEndpoint;
  prefix: string;
  pacer: Pacer;
  size: RequestSize;
  signal: AbortSignal;
}

/**
 * Embeds texts by one request. Where the endpoint refuses it, by one for each half, down to the text that is to blame,
 * which is cut until it is accepted.
 *
 * @returns for each text its vector, or why it has none
 * @throws EndpointError when the endpoint embeds nothing at all
 */
export async function embedPassages(
  request: PassageRequest,
  texts: string[],
): Promise<(EmbeddedPassage | EndpointError)[]> {
  try {
    const { vectors, tokens } = await send(request, texts);
    const lengths = texts.map(({ length }) => length);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    return vectors.map((vector, i) => ({
      vector,
      tokens: Math.round((tokens * (lengths[i] as number)) / total),
      isCut: false,
    }));
  } catch (error) {
    if (!(await isOfTexts(request, error))) throw error;
    if (texts.length === 1) return [await embedCut(request, texts[0] as string, error as EndpointError)];
    const half = Math.ceil(texts.length / 2);
    return [
      ...(await embedPassages(request, texts.slice(0, half))),
      ...(await embedPassages(request, texts.slice(half))),
    ];
  }
}

/** A text that was refused as it is: its first half, or less. */
async function embedCut(
  request: PassageRequest,
  text: string,
  error: EndpointError,
): Promise<EmbeddedPassage | EndpointError> {
  if (!error.isOfRequest || text.length < 2 * MIN_LENGTH) return error;
  const cut = text.slice(0, text.length / 2);
  const [embedded] = await embedPassages(request, [cut]);
  return embedded instanceof EndpointError || !embedded ? error : { ...embedded, isCut: true };
}

/** Some endpoints fail where a text is too long: then they answer another one. */
async function isOfTexts(request: PassageRequest, error: unknown): Promise<boolean> {
  if (!(error instanceof EndpointError)) return false;
  if (error.isOfRequest) return true;
  if (!error.isOutage || request.signal.aborted) return false;
  return send(request, ['?']).then(
    () => true,
    () => false,
  );
}

async function send({ endpoint, prefix, pacer, size, signal }: PassageRequest, texts: string[]) {
  const input = texts.map((text) => prefix + text);
  await pacer.wait(estimateTokens(input), signal);
  const since = performance.now();
  const embedded = await withDeadline(REQUEST_TIMEOUT_MS, signal, (either) =>
    embedTexts(endpoint, input, either),
  );
  size.record(
    texts.reduce((sum, { length }) => sum + length, 0),
    performance.now() - since,
  );
  return embedded;
}
