import { tooMuchTextError as tooMuchText } from '@lectern/file-to-markdown/errors';
import { IngestionError } from '../ingestion-error.js';

/**
 * Limits of processing one file. They scale with its size, so that a small file cannot block a parser for
 * long.
 */
export interface FileLimits {
  /** Characters of parsed text, and again of the chunks with their headings. */
  characters: number;
  chunks: number;
  /** CPU time in milliseconds: wall-clock time depends on the load of the machine. */
  processorMs: number;
}

/** Of the samples in `test/samples`, those up to this size are read in two seconds; the next one takes six. */
export const SMALL_FILE_BYTES = 256 * 1024;
/** Read in milliseconds, whatever they are. */
export const TINY_FILE_BYTES = 16 * 1024;

/** Formats are compressed, and tables repeat their headers: the samples give up to 3 characters for a byte. */
export const BASE_CHARACTERS = 4_000_000;
export const CHARACTERS_PER_BYTE = 20;
/** Splitting into the smallest size that callers may choose gives chunks of some 70 characters. */
export const BASE_CHUNKS = 10_000;
export const CHARACTERS_PER_CHUNK = 25;
/** For files whose chunks are all the document may have. */
const MOST_CHARACTERS_PER_CHUNK = 2_000;
/** The samples take up to 2 s, and up to 14 s for a MiB; plain text takes 3 s for a MiB. */
export const BASE_CPU_MS = 30_000;
export const PROCESSOR_MS_PER_MIB = 60_000;

/**
 * @param bytes the file's size
 * @param max what the largest file may take
 */
export function fileLimits(bytes: number, max: { chunks: number; processorMs: number }): FileLimits {
  const characters = Math.min(
    BASE_CHARACTERS + CHARACTERS_PER_BYTE * bytes,
    max.chunks * MOST_CHARACTERS_PER_CHUNK,
  );
  return {
    characters,
    chunks: Math.min(maxChunksFor(characters), max.chunks),
    processorMs: Math.min(BASE_CPU_MS + PROCESSOR_MS_PER_MIB * (bytes / 2 ** 20), max.processorMs),
  };
}

/** How many chunks a text of so many characters may make. */
export const maxChunksFor = (characters: number): number =>
  BASE_CHUNKS + Math.floor(characters / CHARACTERS_PER_CHUNK);

/** As the readers do, where a process writes more than its file may give. */
export const tooMuchTextError = () => new IngestionError('too_much_text', tooMuchText().message);

export const tooManyChunksError = () =>
  new IngestionError(
    'too_many_chunks',
    'This file falls into more chunks than one document may have; choose a larger chunk size or fewer separators, or split it into smaller files.',
  );
