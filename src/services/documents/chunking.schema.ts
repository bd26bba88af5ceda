import { z } from 'zod';
import { boundedArray, nonEmptyText } from '../shared/fields.schema.js';

/** Defaults of the splitter. */
export const DEFAULT_CHUNK_SIZE = 1_000;
export const MIN_CHUNK_SIZE = 100;
export const MAX_CHUNK_SIZE = 8_000;
export const MAX_SEPARATORS = 20;

/** Chunking options. Absent ones have the configured default. */
export const chunking = z
  .strictObject({
    /** Most characters of a chunk. */
    size: z.int().min(MIN_CHUNK_SIZE).max(MAX_CHUNK_SIZE).optional(),
    /** Most characters repeated at the start of the next chunk; at most half the size. */
    overlap: z
      .int()
      .min(0)
      .max(MAX_CHUNK_SIZE / 2)
      .optional(),
    /** The first cuts wherever it stands; the others, in their order, only what is still too long. */
    separators: boundedArray(nonEmptyText(100), MAX_SEPARATORS).optional(),
    /** Whether comments in documents, slides and sheets are part of the chunks. */
    comments: z.boolean().optional(),
  })
  .superRefine(({ size = DEFAULT_CHUNK_SIZE, overlap = 0 }, context) => {
    if (size < MIN_CHUNK_SIZE || overlap <= size / 2) return;
    const message = `must be at most half the size, ${Math.floor(size / 2)}`;
    context.addIssue({ code: 'custom', message, path: ['overlap'] });
  });
export type Chunking = z.output<typeof chunking>;

/** In answers: a newer version, which runs beside this one during an upgrade, may have stored more options, or wider ones. */
export const storedChunking = z.object({
  size: z.int().optional(),
  overlap: z.int().optional(),
  separators: z.array(z.string()).optional(),
  comments: z.boolean().optional(),
});

/** The stored form; null if all options are default. */
export function toStoredChunking(given: Chunking | null | undefined): string | null {
  const { size, overlap, separators, comments } = given ?? {};
  const wishes = {
    ...(size !== undefined && { size }),
    ...(overlap !== undefined && { overlap }),
    ...(separators && separators.length > 0 && { separators }),
    ...(comments !== undefined && { comments }),
  };
  return Object.keys(wishes).length > 0 ? JSON.stringify(wishes) : null;
}
