import { WHOLE_FILES } from './whole-files.js';

/** What the operator configured about extraction. */
export type ExtractionSettings = ExtractionLimits &
  ExtractionApi & { extractionFor: readonly ExtractionFor[] };

/** What an engine may be asked for: kinds of content, or types of files that it reads whole. */
export const EXTRACTION_FOR = ['scans', 'pictures', 'tables', 'all', ...WHOLE_FILES] as const;
export type ExtractionFor = (typeof EXTRACTION_FOR)[number];

export type ExtractionApi =
  /** The program `tesseract` of this machine; `auto` where nobody chose, so only if it is there. */
  | { api: 'auto' | 'tesseract' }
  /** A server. */
  | ExtractionServer;

export type ExtractionServer =
  | { api: 'docling' | 'tika' | 'http'; url: string; apiKey?: string | undefined }
  | { api: 'openai'; url: string; apiKey?: string | undefined; model: string };

/** The settings of an engine that is a server. */
export type ServerSettings = ExtractionLimits & ExtractionServer;

export interface ExtractionLimits {
  /** Tags of BCP 47, each of which Tesseract has a model for; empty where the engine's own default holds. */
  languages: readonly string[];
  /** Of one file. */
  timeoutMs: number;
  /** Files at a time. */
  concurrency: number;
  requestsPerMinute?: number | undefined;
  /** A larger file is not sent. */
  maxFileBytes: number;
  /** Pages of each tenant, in all; undefined: any number. */
  pageQuota?: number | undefined;
}
