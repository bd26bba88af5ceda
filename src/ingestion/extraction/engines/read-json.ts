import type { z } from 'zod';
import { parseJsonInSteps } from '../../../async/parse-json.js';
import { runYielding } from '../../../async/steps.js';
import { unusable } from '../../../model-endpoint/endpoint-error.js';

/** Times and scores of each page are values, too. */
const MAX_VALUES = 200_000;

/**
 * An answer as a schema has it; what the schema does not name is dropped.
 *
 * @throws EndpointError
 */
export async function readJson<T>(schema: z.ZodType<T>, text: string): Promise<T> {
  const parsed = schema.safeParse(await parse(text));
  if (!parsed.success) throw unusable('extraction', 'it is not what this API answers');
  return parsed.data;
}

async function parse(text: string): Promise<unknown> {
  try {
    return await runYielding(parseJsonInSteps(text, MAX_VALUES));
  } catch {
    throw unusable('extraction', 'it is no JSON, or has too many values');
  }
}
