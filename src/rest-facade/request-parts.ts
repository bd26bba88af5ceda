import type { z } from 'zod';

/** The parts of a request. Named like this, zod's issue paths are the `loc` of an error. */
export type RequestParts = { path?: z.ZodObject; query?: z.ZodObject; body?: z.ZodObject };

/** The value at a path inside plain objects and arrays; undefined if the path does not exist. */
export const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    root,
  );
