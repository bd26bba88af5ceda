import { z } from 'zod';

/** One thing that is wrong with a request. */
export const errorDetail = z
  .object({
    type: z.string().describe('A stable word for programs'),
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe('Where in the request, such as ["query", "page_num"]'),
    msg: z.string(),
  })
  .meta({ id: 'ErrorDetail' });
export type ErrorDetail = z.output<typeof errorDetail>;

/** The body of every error of the REST API, whatever its status, and of the HTTP protocol. */
export const errorBody = z.object({ detail: z.array(errorDetail) }).meta({ id: 'HTTPValidationError' });
export type ErrorBody = z.output<typeof errorBody>;

export const toErrorBody = (...detail: ErrorDetail[]): ErrorBody => ({ detail });
