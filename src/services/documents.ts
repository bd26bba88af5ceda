import { createDocumentImport, type DocumentImportDependencies } from './document-import.js';
import { createDocumentProcessing, type DocumentProcessingDependencies } from './document-processing.js';
import { createDocumentProgress, type DocumentProgressDependencies } from './document-progress.js';
import { createDocumentReads, type DocumentReadsDependencies } from './document-reads.js';
import { createDocumentWrites, type DocumentWritesDependencies } from './document-writes.js';

export type DocumentsDependencies = DocumentReadsDependencies &
  DocumentWritesDependencies &
  DocumentProcessingDependencies &
  DocumentImportDependencies &
  DocumentProgressDependencies;

export type Documents = ReturnType<typeof createDocuments>;

/** Knowledge documents. Every function answers only for what lies in the given scope. */
export const createDocuments = (dependencies: DocumentsDependencies) => ({
  ...createDocumentReads(dependencies),
  ...createDocumentWrites(dependencies),
  ...createDocumentProcessing(dependencies),
  ...createDocumentImport(dependencies),
  ...createDocumentProgress(dependencies),
});
