import { octetInputParser } from '@trpc/server/http';
import { z } from 'zod';
import { uploadedFile, uploadedFileRef } from '../services/files.schema.js';
import { procedure, router } from './trpc.js';

export const files = router({
  /** Takes a Blob, File or stream as its input, of any size up to the limit; `documents.create` uses it then. */
  upload: procedure
    .input(octetInputParser)
    .output(uploadedFile)
    .mutation(({ ctx, input }) => ctx.services.files.receive(input as AsyncIterable<Uint8Array>)),

  discard: procedure
    .input(uploadedFileRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.files.discard(input)),
});
