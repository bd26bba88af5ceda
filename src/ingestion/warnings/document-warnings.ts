import { z } from 'zod';
import { warningCodes } from '../../../db/enums.js';
import type { DocumentWarning } from '../../../db/schema.js';
import { MAX_JSON, MAX_NAME, MAX_NAMES, MAX_OF_FILES, MAX_RANGES } from './warning-limits.js';

const name = z
  .string()
  .max(MAX_NAME)
  .regex(/^\P{Cc}*$/u);
const count = z.int().nonnegative();
const page = z.int().positive();

const documentWarning: z.ZodType<DocumentWarning> = z.object({
  code: z.enum(warningCodes),
  file: name.nullable(),
  pages: z.array(z.object({ from: page, to: page })).max(MAX_RANGES),
  pageCount: count,
  names: z.array(name).max(MAX_NAMES),
  nameCount: count,
});

/** Warnings as a sandboxed process gives them: within the bounds of what is stored. */
export const documentWarnings = z
  .array(documentWarning)
  .max(warningCodes.length + MAX_OF_FILES)
  .refine((warnings) => JSON.stringify(warnings).length <= MAX_JSON, 'must not be so long');
