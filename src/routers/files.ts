import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { octetInputParser } from '@trpc/server/http';
import { z } from 'zod';
import { uploadedFile, uploadedFileRef } from '../services/files/files.schema.js';
import { permittedProcedure, tenantProcedure } from './procedure.js';

export const files = {
  /** Uploads a Blob, File or stream; pass the id to `documents.create`. */
  upload: permittedProcedure('documents:write')
    .input(octetInputParser)
    .output(uploadedFile)
    .mutation(({ ctx, input, signal }) =>
      ctx.services.files.upload(endWith(input as unknown as ReadableStream<Uint8Array>, signal), {
        actor: ctx.actor,
        tenantId: ctx.access?.tenantId,
        // Whether it is a retry is known only at the end of the upload.
        isClaimedInRequest: ctx.claimsUploadsInRequest === true && ctx.idempotencyKey !== undefined,
      }),
    ),

  discard: tenantProcedure('documents:write', uploadedFileRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.files.discard(input, { tenantId: ctx.access?.tenantId })),
};

/** A stream that fails on client disconnect; by itself it would wait forever. */
const endWith = (
  input: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> => Readable.fromWeb(input, signal && { signal });
