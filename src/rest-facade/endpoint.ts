import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { mapErrorLocations } from './error-locations.js';
import type { ExactApi } from './exhaustive-mapping.js';
import type { WaitUntilSearchable } from './prefer-header.js';
import { type RequestParts, valueAt } from './request-parts.js';

/** Context of a facade procedure. */
export interface RestContext {
  api: ExactApi;
  /** Call it with the written records on endpoints that support `Prefer: wait`. */
  waitUntilSearchable: WaitUntilSearchable;
  /** Versions in If-Match; undefined accepts any. */
  expectedVersion: number[] | undefined;
  /** Sets the ETag of the record. */
  setETag(version: number): void;
}

/** Endpoint metadata beyond trpc-to-openapi. */
interface EndpointExtras {
  status?: 200 | 201 | 204;
  /** Error statuses besides the common ones. */
  errors?: (404 | 409 | 412)[];
  /** Read-only despite its method. */
  readOnly?: boolean;
  /** Supports ETag and If-Match. */
  versioned?: boolean;
  /** A request without a body counts as one with `{}`. */
  optionalBody?: boolean;
  /** Query parameters work but are not published. */
  undocumentedQuery?: boolean;
  example: { path?: object; query?: object; body?: object; response?: unknown };
}
export type RestMeta = OpenApiMeta<{ openapi?: EndpointExtras }> & { output?: z.ZodType };
export type EndpointMeta = NonNullable<RestMeta['openapi']>;

const t = initTRPC.context<RestContext>().meta<RestMeta>().create();

export const { router, createCallerFactory } = t;

/**
 * Defines an endpoint: metadata, request schemas and response schema. The response is not validated once more: it is
 * mapped, with every field's type checked, from what a domain procedure has validated.
 *
 * @param agreeing pairs of fields that must be equal, such as `['query.tenantId', 'body.tenantId']`
 */
export function endpoint<P extends RequestParts, O extends z.ZodType>(
  rest: EndpointMeta,
  parts: P,
  output: O,
  agreeing: [string, string][] = [],
) {
  const fields = z.object(parts);
  const request = agreeing.length > 0 ? fields.superRefine(requireEqualValues(agreeing)) : fields;
  type Call = { ctx: RestContext; input: z.output<z.ZodObject<P>> };
  type Handler = (call: Call) => Promise<z.input<O>>;
  const withErrorLocations = (handler: Handler) => async (call: { ctx: RestContext; input: unknown }) => {
    const { ctx, input } = call as Call;
    try {
      return await handler({ ctx, input });
    } catch (error) {
      throw mapErrorLocations(error, parts, input);
    }
  };
  const procedure = t.procedure.meta({ openapi: rest, output }).input(request);
  return {
    query: (handler: Handler) => procedure.query(withErrorLocations(handler)),
    mutation: (handler: Handler) => procedure.mutation(withErrorLocations(handler)),
  };
}

const requireEqualValues = (pairs: [string, string][]) => (input: object, context: z.core.$RefinementCtx) => {
  for (const [first, second] of pairs) {
    const [a, b] = [valueAt(input, first.split('.')), valueAt(input, second.split('.'))];
    if (a === undefined || b === undefined || a === b) continue;
    context.addIssue({ code: 'custom', message: `must agree with ${first}`, path: second.split('.') });
  }
};
