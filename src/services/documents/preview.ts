import type { ExtractionMode } from '../../../db/enums.js';
import type { InputPath } from '../../errors/errors.js';
import type { Files } from '../files/files.js';
import type { Actor } from '../shared/actor.js';
import type { Chunking } from './chunking.schema.js';
import type { ChunkPreview, PreviewedChunks } from './preview.schema.js';
import { sourceKind } from './source.js';

/** Makes chunks of a source without storing any; throws a DomainError at `path`. */
export type PreviewChunks = (request: {
  tenantId: string;
  source: {
    source: string;
    content: string | null;
    fileKey: string | null;
    fileName: string | null;
    mediaType: string | null;
    documentName: string | null;
    storageType: string | null;
    storageBucket: string | null;
    storagePath: string | null;
    url: string | null;
  };
  path: InputPath;
  chunking: Chunking | null;
  /** Default: `auto`. */
  extraction?: ExtractionMode | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}) => Promise<PreviewedChunks>;

export interface DocumentPreviewDependencies {
  files: Pick<Files, 'findUnclaimed'>;
  makePreview: PreviewChunks;
}

/** The field of the input that names each kind of source. */
const FIELDS = { content: 'documentContent', file: 'file', storage: 'storagePath', url: 'url', none: 'url' };

/** Shows what a document would be made of. */
export function createDocumentPreview({ files, makePreview }: DocumentPreviewDependencies) {
  return { previewChunks };

  /** An uploaded file is read, and remains unclaimed. */
  async function previewChunks(
    input: ChunkPreview,
    actor: Actor,
    signal?: AbortSignal,
  ): Promise<PreviewedChunks> {
    const { scope, chunking, extraction, limit, file, documentContent: content = null, ...described } = input;
    const { documentName = null, storageBucket = null, storagePath = null, url = null } = described;
    const { tenantId } = scope;
    const upload = file && (await files.findUnclaimed({ tenantId, actor }, file));
    const source = sourceKind(input);
    const { storageType = storageBucket === null ? null : 's3' } = described;
    return makePreview({
      tenantId,
      source: {
        source,
        content,
        documentName,
        storageType,
        storageBucket,
        storagePath,
        url,
        fileKey: upload?.fileKey ?? null,
        fileName: file?.fileName ?? null,
        mediaType: file?.mediaType ?? null,
      },
      path: [FIELDS[source]],
      chunking: chunking ?? null,
      extraction,
      limit,
      signal,
    });
  }
}
