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
  documentRemoval,
  documentSelection,
  documentSwitch,
  documentUpsert,
  documentWithContent,
  newDocument,
} from '../services/documents.schema.js';
import { pageOf } from '../services/paging.js';
import { searchability, searchableWait } from '../services/searchable.schema.js';
import { operation } from './operation.js';
import { toSubscription } from './subscribe.js';

export const documents = {
  create: operation('documents:write', newDocument, { places: true })
    .output(documentWithContent)
    .mutation(({ ctx, input }) => ctx.services.documents.create(input, ctx.actor, ctx.access)),

  createMany: operation('documents:write', documentImport, { places: true })
    .output(importResult)
    .mutation(({ ctx, input, signal }) =>
      ctx.services.documents.createMany(input, ctx.actor, { access: ctx.access, signal }),
    ),

  upsert: operation('documents:write', documentUpsert, { places: true })
    .output(document.extend({ created: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.services.documents.upsert(input, ctx.actor)),

  get: operation('documents:read', documentRef)
    .output(documentWithContent)
    .query(({ ctx, input }) => ctx.services.documents.get(input)),

  getMany: operation('documents:read', documentSelection)
    .output(z.array(document))
    .query(({ ctx, input }) => ctx.services.documents.getMany(input)),

  list: operation('documents:read', documentFilter)
    .output(pageOf(document))
    .query(({ ctx, input }) => ctx.services.documents.list(input)),

  update: operation('documents:write', documentChanges)
    .output(documentWithContent)
    .mutation(({ ctx, input }) => ctx.services.documents.update(input, ctx.actor)),

  setEnabled: operation('documents:write', documentSwitch)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.documents.setEnabled(input, ctx.actor)),

  delete: operation('documents:write', documentRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.remove(input, ctx.actor)),

  reprocess: operation('documents:write', reprocessing)
    .output(document)
    .mutation(({ ctx, input }) => ctx.services.documents.reprocess(input, ctx.actor)),

  reprocessMany: operation('documents:write', reprocessingOfMany)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.reprocessMany(input, ctx.actor)),

  cancel: operation('documents:write', documentRef)
    .output(document)
    .mutation(({ ctx, input }) => ctx.services.documents.cancel(input, ctx.actor)),

  /** Also for those who only write, and want to know when it shows. */
  waitUntilSearchable: operation(['documents:read', 'documents:write', 'chunks:write'], searchableWait)
    .output(searchability)
    .query(({ ctx, input, signal }) => ctx.services.searchable.waitUntilSearchable(input, signal)),

  /** Server-sent events. A stream that ends without a word is to be opened again, as `EventSource` does. */
  progress: operation('documents:read', documentSelection).subscription(({ ctx, input, signal }) =>
    toSubscription(ctx.services.documents.watch(input, signal)),
  ),
};
