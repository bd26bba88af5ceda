import { z } from 'zod';

export const MAX_CONTEXT_CHUNKS = 10;
export const MAX_CONTEXT_CHARACTERS = 8_000;

const amount = z.int().min(0).max(MAX_CONTEXT_CHARACTERS).default(0);

/**
 * How much of the document around each hit is answered, too: at most 10 chunks or 8,000 characters on each side. Chunks
 * behind 16,000 characters are left out.
 */
export const contextRequest = z
  .object({ before: amount, after: amount, unit: z.enum(['chunks', 'characters']).default('chunks') })
  .superRefine(({ before, after, unit }, context) => {
    if (unit !== 'chunks') return;
    for (const [name, value] of Object.entries({ before, after })) {
      if (value <= MAX_CONTEXT_CHUNKS) continue;
      context.addIssue({
        code: 'too_big',
        origin: 'number',
        maximum: MAX_CONTEXT_CHUNKS,
        inclusive: true,
        input: value,
        path: [name],
        message: `must be at most ${MAX_CONTEXT_CHUNKS} chunks`,
      });
    }
  });
export type ContextRequest = z.output<typeof contextRequest>;

/** The passage of a document that a hit is in: the hit with its neighbours, and with other hits that these touch. */
export const hitContext = z.object({
  /** Null where a better hit has it: `sameAs`. */
  text: z.string().nullable(),
  /** The id of the best hit in the passage, whose context has the text; null where that is this one. */
  sameAs: z.string().nullable(),
  /** Of the chunks that the passage has text of. */
  ordinals: z.object({ first: z.int(), last: z.int() }),
  /** Where in the passage the hit's own text is, `end` exclusive, in UTF-16 units. */
  start: z.int(),
  end: z.int(),
});
export type HitContext = z.output<typeof hitContext>;
