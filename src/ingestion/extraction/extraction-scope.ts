import type { RecognizeAlso, SubType } from '@lectern/file-to-markdown';
import type { ExtractionMode } from '../../../db/schema.js';
import type { ExtractionEngine } from './extraction-engine.js';
import type { ExtractionSettings } from './extraction-settings.js';
import { toMediaType, WHOLE_FILES } from './whole-files.js';

/** What of a document an engine reads, beside pages without text and files that are pictures. */
export interface ExtractionScope extends RecognizeAlso {
  /** Types of files that it reads whole. */
  files: readonly SubType[];
}

/** What an engine could have read of a document. */
export const WIDEST_SCOPE: ExtractionScope = {
  pictures: true,
  tables: true,
  pdfPages: true,
  files: WHOLE_FILES,
};

/**
 * @param mode of a document
 * @param extractionFor what the operator configured
 * @returns undefined where Lectern alone reads the document
 */
export function scopeOf(
  mode: ExtractionMode,
  extractionFor: ExtractionSettings['extractionFor'],
  engine: Pick<ExtractionEngine, 'accepts'>,
): ExtractionScope | undefined {
  if (mode === 'own') return undefined;
  const wanted = new Set<string>(mode === 'engine' ? ['all'] : extractionFor);
  const all = wanted.has('all');
  const pdfPages = engine.accepts('application/pdf');
  return {
    pictures: all || wanted.has('pictures'),
    tables: pdfPages && (all || wanted.has('tables')),
    pdfPages,
    files: WHOLE_FILES.filter((type) => (all || wanted.has(type)) && engine.accepts(toMediaType(type))),
  };
}
