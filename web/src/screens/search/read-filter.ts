import type { Inputs } from '../../api/trpc';

type SearchInput = Inputs['search']['run'];

/** A filter as it is typed. @returns undefined where it is no JSON object; the server knows whether it is a filter */
export function readFilter(text: string): SearchInput['filter'] {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as SearchInput['filter']) : undefined;
  } catch {
    return undefined;
  }
}
