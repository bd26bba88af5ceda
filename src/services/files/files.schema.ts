import { z } from 'zod';
import { identifier } from '../shared/fields.schema.js';

export const uploadedFile = z.object({
  /** To be handed to `documents.create`. Within the tenant of the sender's key, knowing it is the right to use the
   * file, once, within a day. */
  fileId: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
});
export type UploadedFile = z.output<typeof uploadedFile>;

export const uploadedFileRef = z.object({ fileId: identifier() });
export type UploadedFileRef = z.output<typeof uploadedFileRef>;
