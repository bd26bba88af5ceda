import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Api } from '../routers/index.js';
import { mapErrorLocations } from './errors.js';
import type { WaitUntilSearchable } from './prefer-header.js';
import { type RequestParts, valueAt } from './request-parts.js';

/** What a facade procedure works with: the domain's procedures, called on behalf of the request. */
export interface RestContext {
  api: Api;
  /** To be called with what was written, where the endpoint's request may prefer to wait. */
  waitUntilSearchable: WaitUntilSearchable;
  /** The versions that the request's change is meant for; any where undefined. */
  expectedVersion: number[] | undefined;
  /** Tells the version of the one record that the answer is about. */
  setETag(version: number): void;
}

/** What trpc-to-openapi's meta cannot say of an endpoint. */
interface EndpointExtras {
  status?: 200 | 201 | 204;
  /** Further statuses this endpoint can answer with, besides those that every endpoint can. */
  errors?: (404 | 409 | 412)[];
  /** It changes nothing, although its method says otherwise. */
  readOnly?: boolean;
  /** It is about one record, whose version it tells or heeds. */
  versioned?: boolean;
  /** A request without a body counts as one with `{}`. */
  optionalBody?: boolean;
  /** Query parameters are honoured but are no part of the published document. */
  undocumentedQuery?: boolean;
  example: { path?: object; query?: object; body?: object; response?: unknown };
}
export type RestMeta = OpenApiMeta<{ openapi?: EndpointExtras }>;
export type EndpointMeta = NonNullable<RestMeta['openapi']>;

const t = initTRPC.context<RestContext>().meta<RestMeta>().create();

export const { router } = t;

/**
 * Begins a procedure that is one endpoint of the REST document: its address, the shapes of its request's parts
 * and of its answer. Parts that name the same thing twice must agree.
 *
 * @param agreeing pairs of places such as `['query.tenantId', 'body.tenantId']`
 */
export const endpoint = <P extends RequestParts, O extends z.ZodType>(
  rest: EndpointMeta,
  parts: P,
  output: O,
  agreeing: [string, string][] = [],
) =>
  t.procedure
    .meta({ openapi: rest })
    .input(z.object(parts).superRefine(requireEqualValues(agreeing)))
    .output(output)
    .use(async ({ next, input }) => mapErrorLocations(await next(), parts, input));

const requireEqualValues = (pairs: [string, string][]) => (input: object, context: z.core.$RefinementCtx) => {
  for (const [first, second] of pairs) {
    const [a, b] = [valueAt(input, first.split('.')), valueAt(input, second.split('.'))];
    if (a === undefined || b === undefined || a === b) continue;
    context.addIssue({ code: 'custom', message: `must agree with ${first}`, path: second.split('.') });
  }
};
