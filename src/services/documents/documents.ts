import { createDocumentBatches, type DocumentBatchesDependencies } from './batches.js';
import { createDatasetChanges, type DatasetChangeDependencies } from './dataset-changes.js';
import { createDocumentHistory } from './history.js';
import { createDocumentImport, type DocumentImportDependencies } from './import.js';
import { createDocumentPreview, type DocumentPreviewDependencies } from './preview.js';
import { createDocumentProcessing, type DocumentProcessingDependencies } from './processing.js';
import { createDocumentProgress, type DocumentProgressDependencies } from './progress.js';
import { createDocumentReads, type DocumentReadsDependencies } from './reads.js';
import { createDocumentSources, type DocumentSourceDependencies } from './source-text.js';
import { createDocumentWrites, type DocumentWritesDependencies } from './writes.js';

export type DocumentsDependencies = DocumentReadsDependencies &
  DocumentWritesDependencies &
  DocumentBatchesDependencies &
  DatasetChangeDependencies &
  DocumentPreviewDependencies &
  DocumentProcessingDependencies &
  DocumentImportDependencies &
  DocumentProgressDependencies &
  DocumentSourceDependencies;

export type Documents = ReturnType<typeof createDocuments>;

/** Knowledge documents. Every function is restricted to the given tenant scope. */
export const createDocuments = (dependencies: DocumentsDependencies) => ({
  ...createDocumentReads(dependencies),
  ...createDocumentWrites(dependencies),
  ...createDocumentBatches(dependencies),
  ...createDatasetChanges(dependencies),
  ...createDocumentPreview(dependencies),
  ...createDocumentProcessing(dependencies),
  ...createDocumentImport(dependencies),
  ...createDocumentProgress(dependencies),
  ...createDocumentSources(dependencies),
  ...createDocumentHistory(dependencies),
});
