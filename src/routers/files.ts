import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { octetInputParser } from '@trpc/server/http';
import { z } from 'zod';
import { uploadedFile, uploadedFileRef } from '../services/files/files.schema.js';
import { permittedProcedure, tenantProcedure } from './procedure.js';

export const files = {
  /** Takes a Blob, File or stream as its input, of any size up to the limit; `documents.create` uses it then. */
  upload: permittedProcedure('documents:write')
    .input(octetInputParser)
    .output(uploadedFile)
    .mutation(({ ctx, input, signal }) =>
      ctx.services.files.upload(endWith(input as unknown as ReadableStream<Uint8Array>, signal), {
        actor: ctx.actor,
        tenantId: ctx.access?.tenantId,
        // Whether it is a retry, which needs no room, shows when all of it has come.
        isClaimedInRequest: ctx.claimsUploadsInRequest === true && ctx.idempotencyKey !== undefined,
      }),
    ),

  discard: tenantProcedure('documents:write', uploadedFileRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.files.discard(input, { tenantId: ctx.access?.tenantId })),
};

/** A stream that fails when its sender has gone: by itself it would go on waiting for the rest. */
const endWith = (
  input: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> => Readable.fromWeb(input, signal && { signal });
