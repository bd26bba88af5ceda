import { z } from 'zod';
import { identifier } from '../routers/index.js';

/** Fields and headers that several endpoints have. */

/**
 * The same set in answers. Unspecified: a value of a newer version, which runs beside this one during an upgrade, is
 * `unknown`. The document lists what this version writes.
 */
export const answered = <T extends string>(set: z.ZodType<T>) => set as unknown as z.ZodType<T | 'unknown'>;

export const tenantId = identifier().describe('The tenant');
export const tenantUnitId = identifier().describe('The tenant unit');

export const apiKeyHeader = z.object({ 'X-Api-Key': z.string().optional().describe('The API key') });

/** The answer of a write that returns no record. */
export const Empty = z.object({}).meta({ id: 'Empty' });

/** Replaced by the configured maximum in the published document. */
export const CONFIGURED_LIMIT = { 'x-limit': 'MAX_PAGE_SIZE' };

/** A domain's number whose maximum is configured, as published. */
export const configuredMaximum = <T extends z.ZodType>(schema: T): T =>
  schema.meta(CONFIGURED_LIMIT).describe('The server configuration sets the maximum');
