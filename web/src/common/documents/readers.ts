import { useQuery } from '@tanstack/react-query';
import { session } from '../../api/session';
import type { Inputs } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { documentMessages } from './messages';

/** Who reads a document. */
export type Reader = NonNullable<Inputs['documents']['create']['extraction']>;
export const readers = ['auto', 'own', 'engine'] as const satisfies readonly Reader[];

/** The name of the extraction engine, as people know it; undefined where the server has none. */
export function useEngine(): string | undefined {
  const { data } = useQuery(session);
  const nameOf = useEngineName();
  const engine = data?.server.extraction?.engine;
  return engine === undefined ? undefined : nameOf(engine);
}

/** @returns for the name of an engine in the API, that for people */
export function useEngineName(): (engine: string) => string {
  const { names } = useMessages(documentMessages).readBy;
  return (engine) => (names as Record<string, string>)[engine] ?? engine;
}
