import { useQuery } from '@tanstack/react-query';
import { session } from '../../api/session';
import type { Inputs } from '../../api/trpc';

/** Who reads a document. */
export type Reader = NonNullable<Inputs['documents']['create']['extraction']>;
export const readers = ['auto', 'own', 'engine'] as const satisfies readonly Reader[];

/** The name of the extraction engine; undefined where the server has none. */
export function useEngine(): string | undefined {
  const { data } = useQuery(session);
  return data?.server.extraction?.engine;
}
