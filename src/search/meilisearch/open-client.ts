import { type Config, Meilisearch, MeilisearchApiError, type MeilisearchErrorResponse } from 'meilisearch';
import { readText } from '../../async/limit-bytes.js';
import { parseJsonInSteps, TooManyValuesError } from '../../async/parse-json.js';
import { runYielding } from '../../async/steps.js';
import { UnusableAnswerError } from './errors.js';

const MIB = 2 ** 20;
/** Pages of tasks hold settings, and settings what the operator has added, such as synonyms. */
const MAX_BYTES = 16 * MIB;
/** A page of ten thousand documents or ids has up to 60,000. */
const MAX_VALUES = 500_000;

/** A client of a Meilisearch server. Its own way to read answers knows no limit, and holds the event loop. */
export const openClient = (config: Config, maxBytes = MAX_BYTES): Meilisearch =>
  new Meilisearch({ ...config, httpClient: (...request) => fetchJson(request, maxBytes) });

async function fetchJson(request: Parameters<typeof fetch>, maxBytes: number): Promise<unknown> {
  const response = await fetch(...request);
  const tooLarge = () => new UnusableAnswerError(`more than ${maxBytes / MIB} MiB`);
  const text = response.body ? await readText(response.body, maxBytes, tooLarge) : '';
  const value =
    text === '' ? undefined : await runYielding(parseJsonInSteps(text, MAX_VALUES)).catch(explain);
  if (!response.ok) throw new MeilisearchApiError(response, value as MeilisearchErrorResponse | undefined);
  return value;
}

function explain(error: unknown): never {
  throw error instanceof TooManyValuesError
    ? new UnusableAnswerError(`more than ${MAX_VALUES} values`)
    : error;
}
