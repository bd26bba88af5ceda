import { z } from 'zod';
import {
  datasetsChange,
  datasetsChanged,
  document,
  documentChanges,
  documentEnabledChange,
  documentFilter,
  documentRef,
  documentRemoval,
  documentSelection,
  documentsEnabledChange,
  documentTexts,
  documentUpsert,
  documentWithContent,
  listedDocument,
  newDocument,
  writtenDocument,
  writtenDocumentWithContent,
} from '../services/documents/documents.schema.js';
import { documentEvent, historyFilter } from '../services/documents/history.schema.js';
import { answeredPreview, chunkPreview, type PreviewedChunks } from '../services/documents/preview.schema.js';
import {
  cancellationOfMany,
  documentImport,
  importResult,
  reprocessing,
  reprocessingOfMany,
} from '../services/documents/processing.schema.js';
import {
  sourceBytes,
  sourceRange,
  sourceText,
  sourceTextRequest,
} from '../services/documents/source-text.schema.js';
import { searchability, searchableWait } from '../services/search/wait-until-searchable.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import { toSubscription } from './to-subscription.js';
import { mayRead, withoutUnread } from './without-unread.js';

const TEXTS = { permission: 'documents:read', texts: documentTexts } as const;
const TEXTS_AND_CONTENT = { ...TEXTS, texts: [...documentTexts, 'documentContent'] } as const;

/** What of a preview is no text. */
const withoutPreviewedText = ({ chunks, ...preview }: PreviewedChunks) => ({
  ...preview,
  warnings: null,
  chunks: chunks.map(({ ordinal, page }) => ({ ordinal, page })),
});

export const documents = {
  create: tenantProcedure('documents:write', newDocument, { requiresSingleUnit: true })
    .output(documentWithContent)
    .mutation(({ ctx, input }) => ctx.services.documents.create(input, ctx.actor, ctx.access)),

  createMany: tenantProcedure('documents:write', documentImport, { requiresSingleUnit: true })
    .output(importResult)
    .mutation(({ ctx, input, signal }) =>
      ctx.services.documents.createMany(input, ctx.actor, { access: ctx.access, signal }),
    ),

  /** The chunks that a document would have; stores nothing. */
  previewChunks: tenantProcedure('documents:write', chunkPreview, { requiresSingleUnit: true })
    .output(answeredPreview)
    .mutation(async ({ ctx, input, signal }) => {
      const preview = await ctx.services.documents.previewChunks(input, ctx.actor, signal);
      const isSent = Boolean(input.documentContent || input.file);
      return isSent || mayRead(ctx, 'documents:read') ? preview : withoutPreviewedText(preview);
    }),

  upsert: tenantProcedure('documents:write', documentUpsert, { requiresSingleUnit: true })
    .output(writtenDocument.extend({ created: z.boolean() }))
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.documents.upsert(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  get: tenantProcedure('documents:read', documentRef)
    .output(documentWithContent)
    .query(({ ctx, input }) => ctx.services.documents.get(input)),

  getMany: tenantProcedure('documents:read', documentSelection)
    .output(z.array(document))
    .query(({ ctx, input }) => ctx.services.documents.getMany(input)),

  list: tenantProcedure('documents:read', documentFilter)
    .output(pageSchema(listedDocument))
    .query(({ ctx, input }) => ctx.services.documents.list(input)),

  update: tenantProcedure('documents:write', documentChanges)
    .output(writtenDocumentWithContent)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.documents.update(input, ctx.actor), { ctx, input }, TEXTS_AND_CONTENT),
    ),

  setEnabled: tenantProcedure('documents:write', documentEnabledChange)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.documents.setEnabled(input, ctx.actor)),

  /** Switches documents on or off, all or none; tells which were not so before. */
  setEnabledMany: tenantProcedure('documents:write', documentsEnabledChange)
    .output(z.object({ changed: z.array(z.string()) }))
    .mutation(({ ctx, input }) => ctx.services.documents.setEnabledMany(input, ctx.actor)),

  /** Adds documents to datasets and takes them out of others, all or none. */
  setDatasetsMany: tenantProcedure('documents:write', datasetsChange)
    .output(datasetsChanged)
    .mutation(({ ctx, input }) => ctx.services.documents.setDatasetsMany(input, ctx.actor)),

  delete: tenantProcedure('documents:write', documentRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.remove(input, ctx.actor)),

  deleteMany: tenantProcedure('documents:write', documentSelection)
    .output(z.object({ deleted: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.documents.removeMany(input, ctx.actor)),

  reprocess: tenantProcedure('documents:write', reprocessing)
    .output(writtenDocument)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.documents.reprocess(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  reprocessMany: tenantProcedure('documents:write', reprocessingOfMany)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.documents.reprocessMany(input, ctx.actor)),

  cancel: tenantProcedure('documents:write', documentRef)
    .output(writtenDocument)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.documents.cancel(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  cancelMany: tenantProcedure('documents:write', documentSelection)
    .output(cancellationOfMany)
    .mutation(({ ctx, input }) => ctx.services.documents.cancelMany(input, ctx.actor)),
  /** Changes of the document and of its chunks, newest first. */
  history: tenantProcedure('documents:read', historyFilter)
    .output(pageSchema(documentEvent))
    .query(({ ctx, input }) => ctx.services.documents.history(input, ctx.access)),

  /** Pages of the source as text, with the places of the chunks. */
  sourceText: tenantProcedure('documents:read', sourceTextRequest)
    .output(sourceText)
    .query(({ ctx, input, signal }) => ctx.services.documents.sourceText(input, signal)),

  /** A part of the uploaded file. */
  readSource: tenantProcedure('documents:read', sourceRange)
    .output(sourceBytes)
    .query(({ ctx, input }) => ctx.services.documents.readSource(input)),

  /** Also with write permissions only. */
  waitUntilSearchable: tenantProcedure(['documents:read', 'documents:write', 'chunks:write'], searchableWait)
    .output(searchability)
    .query(({ ctx, input, signal }) => ctx.services.searchableWaits.waitUntilSearchable(input, signal)),

  /** Server-sent events. Reconnect when the stream ends, as `EventSource` does. */
  progress: tenantProcedure('documents:read', documentSelection).subscription(({ ctx, input, signal }) =>
    toSubscription(ctx.services.documents.watch(input, signal)),
  ),
};
