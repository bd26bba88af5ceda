import { z } from 'zod';
import type { Page } from '../routers/index.js';
import type { AllFields } from './exhaustive-mapping.js';
import { configuredMaximum } from './shared.schema.js';

/**
 * Page number and page size of a list, with the domain's defaults.
 *
 * @param filter the domain's input of the list
 */
export const pageParameters = <P extends z.ZodType, S extends z.ZodType>({
  shape,
}: {
  shape: { page: P; pageSize: S };
}) => ({
  page: shape.page.describe('Counted from 1'),
  pageSize: configuredMaximum(shape.pageSize),
});

/** A page of version 1: documents and chunks. */
export const pageV1 = <T extends z.ZodType>(item: T, id: string) =>
  z.object({ data: z.array(item), pagination: Pagination }).meta({ id });

const Pagination = z
  .object({ totalCount: z.int(), currentPage: z.int(), pageSize: z.int(), totalPages: z.int() })
  .meta({ id: 'Pagination' });

export const toPageV1 = <T, R>(result: Page<T>, toItem: (item: T) => R) => ({
  data: result.items.map(toItem),
  pagination: toPagination(result),
});

const toPagination = (result: Page<unknown>): AllFields<z.input<typeof Pagination>> => ({
  totalCount: result.totalCount,
  currentPage: result.page,
  pageSize: result.pageSize,
  totalPages: result.totalPages,
});

const pageHeadV2 = z.object({
  page_num: z.int(),
  page_size: z.int(),
  total_count: z.int(),
  total_pages: z.int().optional(),
  has_next_page: z.boolean(),
});

/** A page of version 2: conversations and messages. */
export const pageV2 = <T extends z.ZodType>(item: T, id: string) =>
  pageHeadV2.extend({ data: z.array(item) }).meta({ id });

export const toPageV2 = <T, R>(result: Page<T>, toItem: (item: T) => R) => ({
  ...toPageHeadV2(result),
  data: result.items.map(toItem),
});

const toPageHeadV2 = (result: Page<unknown>): AllFields<z.input<typeof pageHeadV2>> => ({
  page_num: result.page,
  page_size: result.pageSize,
  total_count: result.totalCount,
  // Unspecified: an empty list has one page, as the documented default says.
  total_pages: Math.max(1, result.totalPages),
  has_next_page: result.hasNextPage,
});
