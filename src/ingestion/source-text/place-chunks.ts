import { createHash } from 'node:crypto';
import type { ParsedDocument, ParsedPage } from '@lectern/file-to-markdown';
import { TextBudget } from '@lectern/file-to-markdown';
import { splitPages } from '../chunking/split/split.js';
import type { Collected, CollectedPicture } from '../extraction/extraction-step.js';
import { parseStep } from '../extraction/parse-step.js';
import { maxChunksFor, tooManyChunksError } from '../limits/file-limits.js';
import { sourceFromFile } from '../sources/source-file.js';
import { PartJoiner } from './join-parts.js';
import type { ChunkPlace, SourceTextBatch, SourceTextResult, SourceTextTask, TextPart } from './protocol.js';

/** Of some thousand characters at most. */
const BATCH_PARTS = 32;
const BATCH_PLACES = 2_000;

/**
 * Parses a file and splits it as it was when its chunks were made; gives its text and where they begin and end.
 *
 * @throws ParseError when the file gives no text; IngestionError when it gives more than it may
 */
export async function placeChunks(
  { path, fileName, mediaType, chunking, limits, extraction }: SourceTextTask,
  {
    onBatch,
    onProgress,
  }: {
    onBatch: (batch: SourceTextBatch | CollectedPicture) => Promise<void>;
    onProgress: (fraction: number) => void;
  },
): Promise<SourceTextResult | Collected> {
  const input = {
    source: await sourceFromFile(path),
    ...(fileName !== undefined && { fileName }),
    ...(mediaType !== undefined && { mediaType }),
    ...(chunking.comments !== undefined && { comments: chunking.comments }),
    textBudget: new TextBudget(limits.characters),
    onProgress,
  };
  const parsed = await parseStep(extraction, input, onBatch);
  if ('extraction' in parsed) return parsed;
  const joiner = new PartJoiner();
  let parts: TextPart[] = [];
  let places: ChunkPlace[] = [];
  let count = 0;
  for await (const { text, start, end } of splitPages(watched(parsed.pages), chunking)) {
    if (++count > Math.min(limits.chunks, maxChunksFor(limits.characters))) throw tooManyChunksError();
    places.push([start, end, createHash('sha256').update(text).digest('base64url')]);
    if (parts.length >= BATCH_PARTS || places.length >= BATCH_PLACES) await flush();
  }
  parts.push(...joiner.end());
  await flush();
  return { subType: parsed.subType };

  /** The pages, of which the splitter takes one when it needs it. */
  async function* watched(pages: ParsedDocument['pages']): AsyncGenerator<ParsedPage> {
    for await (const page of pages) {
      for (const part of joiner.add(page)) parts.push(part);
      yield page;
    }
  }

  async function flush(): Promise<void> {
    const found = { parts, places };
    parts = [];
    places = [];
    // A page may be the whole of a long text.
    await onBatch({ parts: found.parts.splice(0, BATCH_PARTS), places: found.places });
    while (found.parts.length > 0) await onBatch({ parts: found.parts.splice(0, BATCH_PARTS), places: [] });
  }
}
