import { z } from 'zod';
import { searchLanguages } from '../../search/chunk-index.js';
import { searchEngine, searchMode } from '../search/search.schema.js';
import { boundedArray, identifier, nonEmptyText, nullableText } from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';

export const MAX_COLLECTIONS = 100;
/** Of one collection. */
export const MAX_QUESTIONS = 200;
/** Of one collection; older ones are deleted. */
export const MAX_RUNS = 50;
const MAX_EXPECTED = 20;
const MAX_DATASETS = 20;
const MAX_GRADE = 3;
/** In characters. */
export const MAX_QUERY_LENGTH = 2_000;

const collectionName = identifier(100);
const language = z.enum(searchLanguages);
const chunkRef = z.object({ documentId: identifier(), chunkId: identifier() });

export const unitOfEvaluations = z.object({ scope: tenantUnitRef });
export type UnitOfEvaluations = z.output<typeof unitOfEvaluations>;

export const collectionRef = unitOfEvaluations.extend({ collection: collectionName });
export type CollectionRef = z.output<typeof collectionRef>;

export const questionFilter = collectionRef.extend(pageParameters(50));
export type QuestionFilter = z.output<typeof questionFilter>;

export const questionRef = unitOfEvaluations.extend({ questionId: identifier() });
export type QuestionRef = z.output<typeof questionRef>;

export const judgedQuestion = collectionRef.extend({
  /** Replaces this question; a new one if undefined. */
  questionId: identifier().optional(),
  query: nonEmptyText(MAX_QUERY_LENGTH),
  language: language.default('english'),
  datasetIds: boundedArray(identifier(), MAX_DATASETS, 1),
  expected: boundedArray(
    chunkRef.extend({ grade: z.int().min(1).max(MAX_GRADE).default(1) }),
    MAX_EXPECTED,
    1,
  ),
});
export type JudgedQuestion = z.output<typeof judgedQuestion>;

/** The answer of an agent that a question is from. */
const questionSource = z.object({ conversationId: z.string(), messageId: z.string() });
export type QuestionSource = z.output<typeof questionSource>;

export const questionFromMessage = judgedQuestion.omit({ questionId: true, query: true }).extend({
  conversationId: identifier(),
  /** An answer: the question is the message of the user before it. */
  messageId: identifier(),
});
export type QuestionFromMessage = z.output<typeof questionFromMessage>;

export const evaluation = collectionRef.extend({
  /** As configured if undefined. */
  mode: searchMode.optional(),
  /** Whether the searches use the synonyms of the unit; they do by default. */
  synonyms: z.boolean().optional(),
});
export type Evaluation = z.output<typeof evaluation>;

/** `hidden`: inactive, of a disabled document, or in none of the question's datasets; `gone`: no longer there. */
const expectedStates = ['searchable', 'hidden', 'gone'] as const;

export const expectedChunk = z.object({
  documentId: z.string(),
  chunkId: z.string(),
  grade: z.int(),
  state: z.enum(expectedStates),
  /** Null unless it is searchable, as the beginning of its text. */
  documentName: nullableText,
  excerpt: nullableText,
});
export type ExpectedChunkState = z.output<typeof expectedChunk>;

export const question = z.object({
  id: z.string(),
  collection: z.string(),
  query: z.string(),
  language,
  datasetIds: z.array(z.string()),
  expected: z.array(expectedChunk),
  /** Null unless it was added from an answer, which may be gone since. */
  source: questionSource.nullable(),
  createdTime: z.date(),
  updatedTime: z.date(),
});
export type Question = z.output<typeof question>;

/** Of 0 to 1, the mean over all questions. */
const measures = { ndcgAt10: z.number(), recallAt5: z.number() };

/** What saving answers: without the text of chunks, unless the caller may search. */
export const savedQuestion = question.extend({
  expected: z.array(expectedChunk.partial({ documentName: true, excerpt: true })),
});

export const evaluationRun = z.object({
  id: z.string(),
  createdTime: z.date(),
  /** Null: as configured. */
  askedMode: searchMode.nullable(),
  /** Whether the searches used the synonyms of the unit. */
  synonyms: z.boolean(),
  /** In which questions were answered. */
  modes: z.array(searchMode),
  engines: z.array(searchEngine),
  questions: z.int(),
  /** Expected chunks of all questions, and those of them that are gone: they count as not found. */
  expected: z.int(),
  gone: z.int(),
  ...measures,
  durationMs: z.number(),
});
export type EvaluationRun = z.output<typeof evaluationRun>;

export const evaluationResult = evaluationRun.extend({
  byQuestion: z.array(
    z.object({
      questionId: z.string(),
      query: z.string(),
      ...measures,
      /** Rank from 1; null where it is not among the first 20. */
      expected: z.array(expectedChunk.extend({ rank: z.int().nullable() })),
    }),
  ),
});
export type EvaluationResult = z.output<typeof evaluationResult>;

export const collection = z.object({
  collection: z.string(),
  questions: z.int(),
  lastRun: evaluationRun.nullable(),
});
export type Collection = z.output<typeof collection>;
