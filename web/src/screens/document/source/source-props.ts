import type { Chunk } from '../chunks/use-chunks';
import type { OneDocument } from '../use-document';

export interface SourceProps {
  document: OneDocument;
  /** Those that are listed beside it. */
  chunks: Chunk[];
  /** The chunk at whose place the source is opened. */
  anchor: Chunk | undefined;
  lit: string | undefined;
  onLight: (chunkId: string | undefined) => void;
  /** Somebody clicked on the text of a chunk. */
  onOpen: (chunkId: string) => void;
}
