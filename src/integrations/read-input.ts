import { TRPCError } from '@trpc/server';
import type { Response } from 'express';
import type { z } from 'zod';

/**
 * Checks what a request asks for.
 *
 * @throws TRPCError as the procedures do
 */
export function readInput<S extends z.ZodType>(res: Response, schema: S, given: unknown): z.output<S> {
  // Errors say which fields are missing.
  res.locals.input = given ?? {};
  const { data, error } = schema.safeParse(given ?? {});
  // Its own message would be all issues as JSON, which nobody reads.
  if (error) throw new TRPCError({ code: 'BAD_REQUEST', message: 'Bad request.', cause: error });
  return data;
}
