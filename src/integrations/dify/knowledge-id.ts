import { notFound } from '../../errors/errors.js';
import type { DatasetName } from '../datasets.js';

/**
 * Reads the id of a knowledge base: `dataset`, or `unit/dataset`. A slash or percent sign within a name is percent-encoded.
 *
 * @throws DomainError `not_found` where it names nothing
 */
export function readKnowledgeId(id: string): DatasetName {
  const parts = id.split('/').map(decode);
  const [first, second] = parts;
  if (parts.length > 2 || parts.some((part) => !part) || first === undefined)
    throw notFound('Dataset', ['dataset']);
  return second === undefined ? { datasetId: first } : { unitId: first, datasetId: second };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
