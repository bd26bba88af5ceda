import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import type { Api } from '../routers/index.js';
import { locateErrors } from './errors.js';
import { type Parts, valueAt } from './parts.js';
import type { WaitUntilSearchable } from './prefer.js';

/** What a facade procedure works with: the domain's procedures, called on behalf of the request. */
export interface RestContext {
  api: Api;
  /** To be called with what was written, where the endpoint's request may prefer to wait. */
  waitUntilSearchable: WaitUntilSearchable;
  /** The versions that the request's change is meant for; any where undefined. */
  expectedVersion: number[] | undefined;
  /** Tells the version of the one record that the answer is about. */
  tag(version: number): void;
}

/** What trpc-to-openapi's meta cannot say of an endpoint. */
interface Extras {
  status?: 200 | 201 | 204;
  /** Further statuses this endpoint can answer with, besides those that every endpoint can. */
  errors?: (404 | 409 | 412)[];
  /** It changes nothing, although its method says otherwise. */
  reads?: boolean;
  /** It is about one record, whose version it tells or heeds. */
  versioned?: boolean;
  /** A request without a body counts as one with `{}`. */
  optionalBody?: boolean;
  /** Query parameters are honoured but are no part of the published document. */
  hiddenQuery?: boolean;
  example: { path?: object; query?: object; body?: object; response?: unknown };
}
export type RestMeta = OpenApiMeta<{ openapi?: Extras }>;
export type Rest = NonNullable<RestMeta['openapi']>;

const t = initTRPC.context<RestContext>().meta<RestMeta>().create();

export const { router } = t;

/**
 * Begins a procedure that is one endpoint of the REST document: its address, the shapes of its request's parts
 * and of its answer. Parts that name the same thing twice must agree.
 *
 * @param agreeing pairs of places such as `['query.tenantId', 'body.tenantId']`
 */
export const endpoint = <P extends Parts, O extends z.ZodType>(
  rest: Rest,
  parts: P,
  output: O,
  agreeing: [string, string][] = [],
) =>
  t.procedure
    .meta({ openapi: rest })
    .input(z.object(parts).superRefine(requireAgreement(agreeing)))
    .output(output)
    .use(async ({ next, input }) => locateErrors(await next(), parts, input));

const requireAgreement = (pairs: [string, string][]) => (input: object, context: z.core.$RefinementCtx) => {
  for (const [first, second] of pairs) {
    const [a, b] = [valueAt(input, first.split('.')), valueAt(input, second.split('.'))];
    if (a === undefined || b === undefined || a === b) continue;
    context.addIssue({ code: 'custom', message: `must agree with ${first}`, path: second.split('.') });
  }
};
