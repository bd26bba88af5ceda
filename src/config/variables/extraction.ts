import { z } from 'zod';
import { EXTRACTION_FOR, type ExtractionFor } from '../../ingestion/extraction/extraction-settings.js';
import { toTesseractLanguage } from '../../ingestion/extraction/languages/tesseract-languages.js';
import { group } from './group.js';
import { list, listWithDefault, name, seconds, serverUrl } from './shapes.js';

const areKinds = (given: string[]): given is ExtractionFor[] =>
  given.length > 0 && given.every((one) => EXTRACTION_FOR.some((kind) => kind === one));

/** What reads scans and pictures. */
export const extraction = group({
  title: 'Extraction from scans and pictures',
  note: 'An extraction engine reads what Lectern has no parser for. Files are sent to EXTRACTION_URL, so choose an engine that may see them.',
  variables: {
    EXTRACTION_API: z
      .enum(['docling', 'tika', 'openai', 'http', 'tesseract', 'none'])
      .optional()
      .meta({
        description:
          'API of the engine. docling: docling-serve. tika: Apache Tika server. openai: a model that reads pictures. http: a server of your own. tesseract: the program on this machine.',
        fallback: 'tesseract if this machine has it, otherwise none',
        examples: ['docling'],
      }),
    EXTRACTION_URL: serverUrl.meta({
      description: 'The engine, for docling, tika, openai and http. For openai, it mostly ends with /v1.',
      examples: ['http://127.0.0.1:5001'],
    }),
    EXTRACTION_MODEL: name.optional().meta({
      description: 'The model, for openai.',
      examples: ['qwen2.5vl:7b'],
    }),
    EXTRACTION_API_KEY: z.string().optional().describe('Key for the engine.'),
    EXTRACTION_FOR: listWithDefault('scans')
      .refine(areKinds, 'must be scans, pictures, tables, all, or types of files, with commas between them')
      .meta({
        description:
          'What the engine reads. scans: pages without text, and pictures. pictures: also those in documents. tables: also PDF pages with tables. all: everything. Whole files by their types: pdf, docx, doc, odt, rtf, pptx, xlsx, xls, epub, eml, msg, html.',
        fallback: 'scans',
        examples: ['pictures,tables', 'pptx,docx'],
      }),
    EXTRACTION_LANGUAGES: list
      .refine((tags) => tags.length <= 20, 'must be at most 20 languages')
      .refine(
        (tags) => tags.every((tag) => toTesseractLanguage(tag) !== undefined),
        'must be languages such as en, de, zh-Hans and zh-Hant, with commas between them',
      )
      .meta({
        description: 'Languages of the texts, the most common one first. Engines read them better.',
        fallback: 'the default of the engine',
        examples: ['en,zh-Hans,de'],
      }),
    EXTRACTION_TIMEOUT_SECONDS: seconds.default(300).describe('Timeout of a file.'),
    EXTRACTION_CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(2)
      .describe('Files sent at a time. With tesseract, the number of its processes.'),
    EXTRACTION_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).optional().meta({
      description: 'Maximum files that are sent per minute.',
      fallback: 'unlimited',
    }),
    EXTRACTION_MAX_FILE_MB: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_024)
      .default(50)
      .describe('Larger files are not sent, in MiB.'),
  },
});
