import { octetInputParser } from '@trpc/server/http';
import { z } from 'zod';
import { uploadedFile, uploadedFileRef } from '../services/files.schema.js';
import { operation, permitted } from './operation.js';
import { router } from './trpc.js';

export const files = router({
  /** Takes a Blob, File or stream as its input, of any size up to the limit; `documents.create` uses it then. */
  upload: permitted('documents:write')
    .input(octetInputParser)
    .output(uploadedFile)
    .mutation(({ ctx, input }) => ctx.services.files.receive(input as AsyncIterable<Uint8Array>)),

  discard: operation('documents:write', uploadedFileRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.files.discard(input)),
});
