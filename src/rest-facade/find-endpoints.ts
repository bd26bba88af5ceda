import type { AnyRouter } from '@trpc/server';
import { forEachOpenApiProcedure, getInputOutputParsers } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { EndpointMeta } from './endpoint.js';
import type { RequestParts } from './request-parts.js';

export interface Endpoint {
  /** The procedure's name in its router. */
  name: string;
  meta: EndpointMeta;
  parts: RequestParts;
  output: z.ZodType;
}

/** The endpoints of a facade router; static path segments before parameters. */
export function listEndpoints(router: AnyRouter): Endpoint[] {
  const found: Endpoint[] = [];
  forEachOpenApiProcedure(router._def.procedures, ({ path: name, procedure, meta }) => {
    const { inputParser, outputParser } = getInputOutputParsers(procedure as never);
    const parts = (inputParser as z.ZodObject).shape as RequestParts;
    found.push({ name, meta: meta.openapi as EndpointMeta, parts, output: outputParser as z.ZodType });
  });
  // '{' comes after every letter.
  return found.sort((a, b) => (a.meta.path < b.meta.path ? -1 : 1));
}
