import type { z } from 'zod';

/** What the reference and `.env.example` say of a variable, as metadata of its schema. */
export interface About {
  /** A sentence or two, below 200 characters. */
  description: string;
  /** Values to show where there is no default. */
  examples?: string[];
  /** The default in words, where it is no constant. */
  fallback?: string;
}

/** Variables of one subject. */
export interface Group<V extends z.ZodRawShape = z.ZodRawShape> {
  title: string;
  /** What concerns them all. */
  note?: string;
  variables: V;
  /** Further variables, which libraries read. */
  ofLibraries?: Record<string, About>;
}

export const group = <V extends z.ZodRawShape>(given: Group<V>): Group<V> => given;

/** @throws where nobody has described it */
export function aboutOf(name: string, schema: z.core.$ZodType): About {
  const about = (schema as z.ZodType).meta() as About | undefined;
  if (!about?.description) throw new Error(`The variable ${name} has no description.`);
  return about;
}
