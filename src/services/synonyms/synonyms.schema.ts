import { z } from 'zod';
import { boundedArray, identifier, nonEmptyText, nullableText } from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';

/** Of a unit. */
export const MAX_RULES = 1_000;
/** Of one rule, on both sides together. */
export const MAX_TERMS = 20;
export const MAX_TERM_LENGTH = 100;
export const MAX_TERM_WORDS = 5;
const MAX_DATASETS = 20;
/** As many as all rules of a unit take. */
const MAX_TEXT_LENGTH = 2_500_000;

/** A word or a short phrase. */
export const synonymTerm = nonEmptyText(MAX_TERM_LENGTH)
  .refine((term) => /[\p{L}\p{N}]/u.test(term), 'must have a letter or a digit')
  .refine(
    (term) => term.trim().split(/\s+/).length <= MAX_TERM_WORDS,
    `must have at most ${MAX_TERM_WORDS} words`,
  )
  .transform((term) => term.trim().replace(/\s+/g, ' '));

const terms = boundedArray(synonymTerm, MAX_TERMS, 1);

export const synonymDatasets = boundedArray(identifier(), MAX_DATASETS, 1);

/** What a rule says, wherever it comes from. */
export const ruleFields = z
  .object({ terms, replacements: terms.nullable().default(null) })
  .refine(({ terms, replacements }) => replacements !== null || terms.length > 1, {
    message: 'must be at least two, or say what else to search',
    path: ['terms'],
  })
  .refine(({ terms, replacements }) => terms.length + (replacements?.length ?? 0) <= MAX_TERMS, {
    message: `must be at most ${MAX_TERMS} on both sides`,
    path: ['terms'],
  });

export const unitOfSynonyms = z.object({ scope: tenantUnitRef });
export type UnitOfSynonyms = z.output<typeof unitOfSynonyms>;

export const synonymFilter = unitOfSynonyms.extend(pageParameters(50));
export type SynonymFilter = z.output<typeof synonymFilter>;

export const synonymsRef = unitOfSynonyms.extend({ synonymsId: identifier() });
export type SynonymsRef = z.output<typeof synonymsRef>;

export const synonymsToSave = ruleFields.safeExtend({
  ...unitOfSynonyms.shape,
  /** Replaces these; new ones if undefined. */
  synonymsId: identifier().optional(),
  /** All within reach of the key if undefined. */
  datasetIds: synonymDatasets.optional(),
});
export type SynonymsToSave = z.output<typeof synonymsToSave>;

export const importModes = ['add', 'replace'] as const;

export const synonymsImport = unitOfSynonyms.extend({
  /** In the format of Solr and Lucene: `a, b, c` and `a, b => c`. */
  text: nonEmptyText(MAX_TEXT_LENGTH),
  /** Of lines for which the text names no others; all within reach of the key if undefined. */
  datasetIds: synonymDatasets.optional(),
  /** `replace` removes those that the text does not have. */
  mode: z.enum(importModes).default('add'),
});
export type SynonymsImport = z.output<typeof synonymsImport>;

export const synonyms = z.object({
  id: z.string(),
  /** Null: all of the unit. */
  datasetIds: z.array(z.string()).nullable(),
  terms: z.array(z.string()),
  /** What a question with one of the terms is also searched with; null: the other terms. */
  replacements: z.array(z.string()).nullable(),
  createdTime: z.date(),
  createdBy: nullableText,
  updatedTime: z.date(),
  updatedBy: nullableText,
});
export type SynonymRecord = z.output<typeof synonyms>;

export const exportedSynonyms = z.object({ text: z.string() });

export const importedSynonyms = z.object({ added: z.int(), removed: z.int(), unchanged: z.int() });
export type ImportedSynonyms = z.output<typeof importedSynonyms>;
