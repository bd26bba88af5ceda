import type { ParseInput } from './types.js';

type Recognize = NonNullable<ParseInput['recognize']>;

const thrown = new WeakSet<object>();

/** The same, with its errors told from those of files: they end the reading of a file within another, too. */
export function withKnownErrors(recognize: Recognize): Recognize {
  return async (picture) => {
    try {
      return await recognize(picture);
    } catch (error) {
      if (typeof error === 'object' && error !== null) thrown.add(error);
      throw error;
    }
  };
}

/** Whether the caller's `recognize` has thrown it, which says nothing of the file. */
export const isOfRecognize = (error: unknown): error is Error => error instanceof Error && thrown.has(error);
