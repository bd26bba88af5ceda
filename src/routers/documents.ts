import { z } from 'zod';
import {
  documentImport,
  importResult,
  reprocessing,
  reprocessingOfMany,
} from '../services/document-processing.schema.js';
import {
  document,
  documentChanges,
  documentFilter,
  documentRef,
  documentSelection,
  documentSwitch,
  documentUpsert,
  documentWithContent,
  newDocument,
} from '../services/documents.schema.js';
import { pageOf } from '../services/paging.js';
import { searchability, searchableWait } from '../services/searchable.schema.js';
import { procedure, router } from './trpc.js';

export const documents = router({
  create: procedure
    .input(newDocument)
    .output(documentWithContent)
    .mutation(({ ctx, input }) => ctx.services.documents.create(input, ctx.actor)),

  createMany: procedure
    .input(documentImport)
    .output(importResult)
    .mutation(({ ctx, input }) => ctx.services.documents.createMany(input, ctx.actor)),

  upsert: procedure
    .input(documentUpsert)
    .output(document.extend({ created: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.services.documents.upsert(input, ctx.actor)),

  get: procedure
    .input(documentRef)
    .output(documentWithContent)
    .query(({ ctx, input }) => ctx.services.documents.get(input)),

  getMany: procedure
    .input(documentSelection)
    .output(z.array(document))
    .query(({ ctx, input }) => ctx.services.documents.getMany(input)),

  list: procedure
    .input(documentFilter)
    .output(pageOf(document))
    .query(({ ctx, input }) => ctx.services.documents.list(input)),

  update: procedure
    .input(documentChanges)
    .output(documentWithContent)
    .mutation(({ ctx, input }) => ctx.services.documents.update(input, ctx.actor)),

  setEnabled: procedure
    .input(documentSwitch)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.setEnabled(input, ctx.actor)),

  delete: procedure
    .input(documentRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.remove(input)),

  reprocess: procedure
    .input(reprocessing)
    .output(document)
    .mutation(({ ctx, input }) => ctx.services.documents.reprocess(input, ctx.actor)),

  reprocessMany: procedure
    .input(reprocessingOfMany)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.reprocessMany(input, ctx.actor)),

  cancel: procedure
    .input(documentRef)
    .output(document)
    .mutation(({ ctx, input }) => ctx.services.documents.cancel(input, ctx.actor)),

  waitUntilSearchable: procedure
    .input(searchableWait)
    .output(searchability)
    .query(({ ctx, input, signal }) => ctx.services.searchable.waitUntilSearchable(input, signal)),

  /** Server-sent events. A stream that ends without a word is to be opened again, as `EventSource` does. */
  progress: procedure
    .input(documentSelection)
    .subscription(({ ctx, input, signal }) => ctx.services.documents.watch(input, signal)),
});
