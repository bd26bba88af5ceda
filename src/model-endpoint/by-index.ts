import { type ModelEndpoint, unusable } from './endpoint-error.js';

/**
 * What an endpoint answers for each text, in the order of the texts.
 *
 * @throws EndpointError unless each of them has exactly one answer
 */
export function byIndex<T extends { index: number }>(
  endpoint: ModelEndpoint,
  answers: T[],
  count: number,
): T[] {
  if (answers.length !== count) throw unusable(endpoint, `${answers.length} answers for ${count} texts`);
  const ordered = new Map(answers.map((one) => [one.index, one]));
  return Array.from({ length: count }, (_, index) => {
    const found = ordered.get(index);
    if (!found) throw unusable(endpoint, `no answer for text ${index} of ${count}`);
    return found;
  });
}
