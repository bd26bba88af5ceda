import { z } from 'zod';
import { invalid } from '../../errors/errors.js';

/** The cap on batches and pages can be configured up to this. */
export const MAX_BATCH = 10_000;

/** A page of a list: numbered from 1. Sizes above the configured cap are refused, never clamped. */
export const pageParameters = (defaultSize: number) => ({
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(MAX_BATCH).default(defaultSize),
});

export interface PageRequest {
  page: number;
  pageSize: number;
}

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    page: z.int(),
    pageSize: z.int(),
    totalCount: z.int(),
    totalPages: z.int(),
    hasNextPage: z.boolean(),
  });

export interface Page<T> extends PageRequest {
  items: T[];
  totalCount: number;
  totalPages: number;
  hasNextPage: boolean;
}

export function toPage<T>({ page, pageSize }: PageRequest, items: T[], totalCount: number): Page<T> {
  const totalPages = Math.ceil(totalCount / pageSize);
  return { items, page, pageSize, totalCount, totalPages, hasNextPage: page < totalPages };
}

export const offsetOf = ({ page, pageSize }: PageRequest) =>
  // Avoids offsets that PostgreSQL cannot parse.
  Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);

/** @throws DomainError `invalid` if the count exceeds the configured maximum */
export function assertAtMost(limit: number, count: number, field: string): void {
  if (count > limit) throw invalid(`must be at most ${limit}`, [field], 'value_error.too_big');
}
