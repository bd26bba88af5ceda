import type { AnyRouter } from '@trpc/server';
import { forEachOpenApiProcedure, getInputOutputParsers } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { EndpointMeta, RestMeta } from './endpoint.js';
import type { RequestParts } from './request-parts.js';

export interface Endpoint {
  /** The path of its procedure in the router, such as `documents.get`. */
  name: string;
  meta: EndpointMeta;
  parts: RequestParts;
  output: z.ZodType;
}

/** The endpoints of a facade router; static path segments before parameters. */
export function listEndpoints(router: AnyRouter): Endpoint[] {
  const found: Endpoint[] = [];
  forEachOpenApiProcedure(router._def.procedures, ({ path: name, procedure, meta }) => {
    const { inputParser } = getInputOutputParsers(procedure as never);
    const parts = (inputParser as z.ZodObject).shape as RequestParts;
    const { openapi, output } = meta as RestMeta;
    found.push({ name, meta: openapi as EndpointMeta, parts, output: output as z.ZodType });
  });
  // '{' comes after every letter.
  return found.sort((a, b) => (a.meta.path < b.meta.path ? -1 : 1));
}
