import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type {
  EvaluationQuestionTable,
  EvaluationRunTable,
  ExpectedChunk,
  Queryable,
  Schema,
} from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import { searchEngines, searchLanguages, searchModes } from '../../search/chunk-index.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { EvaluationRun, ExpectedChunkState, Question } from './evaluations.schema.js';
import { readExpected } from './expected-chunks.js';

export type QuestionRow = Selectable<EvaluationQuestionTable>;

/** Condition: rows of the unit that are about nothing beyond the key's datasets. */
export const withinReach = (scope: TenantUnitRef) => {
  // biome-ignore lint/suspicious/noExplicitAny: the condition fits both tables
  return (eb: ExpressionBuilder<Schema, any>) =>
    eb.and([
      withinTenant(scope)(eb),
      ...(scope.datasetIds ? [sql<SqlBool>`dataset_ids <@ ${[...scope.datasetIds]}::text[]`] : []),
    ]);
};

/** Serializes what makes and removes the collections of a unit, until the end of the transaction. */
export const lockCollections = (tx: Queryable, { tenantId, tenantUnitId }: TenantUnitRef): Promise<void> =>
  acquireLock(tx, 'evaluations', tenantId, tenantUnitId);

/** Whether there is such a collection: it is gone with its last question. */
export async function hasQuestions(
  tx: Queryable,
  { tenantId, tenantUnitId }: TenantUnitRef,
  collection: string,
): Promise<boolean> {
  const found = await tx
    .selectFrom('evaluationQuestions')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('tenantUnitId', '=', tenantUnitId)
    .where('collection', '=', collection)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export const questionNotFound = () => notFound('Question', ['questionId']);

/** Questions with the present state of what they expect. */
export async function toQuestions(
  db: Queryable,
  scope: TenantUnitRef,
  rows: QuestionRow[],
): Promise<Question[]> {
  const expected = await readExpected(db, scope, rows);
  return rows.map((row, place) => ({
    id: row.id,
    collection: row.collection,
    query: row.query,
    datasetIds: row.datasetIds,
    createdTime: row.createdTime,
    updatedTime: row.updatedTime,
    language: searchLanguages.find((one) => one === row.language) ?? 'english',
    expected: expected[place] as ExpectedChunkState[],
    source: toSource(row),
  }));
}

const toSource = ({ sourceConversationId: conversationId, sourceMessageId: messageId }: QuestionRow) =>
  conversationId !== null && messageId !== null ? { conversationId, messageId } : null;

export function toRun(row: Selectable<EvaluationRunTable>): EvaluationRun {
  const { id, createdTime, questions, expected, gone, ndcgAt10, recallAt5, durationMs, synonyms } = row;
  return {
    id,
    createdTime,
    questions,
    expected,
    gone,
    ndcgAt10,
    recallAt5,
    durationMs,
    synonyms,
    askedMode: searchModes.find((mode) => mode === row.askedMode) ?? null,
    modes: searchModes.filter((mode) => row.modes.includes(mode)),
    engines: searchEngines.filter((engine) => row.engines.includes(engine)),
  };
}

/** What the audit log keeps of a question: no text. */
export const auditedQuestion = ({
  collection,
  language,
  datasetIds,
  expected,
}: Pick<QuestionRow, 'collection' | 'language' | 'datasetIds'> & { expected: ExpectedChunk[] }) => ({
  collection,
  language,
  datasetIds,
  expected: expected.map(({ chunkId, grade }) => ({ chunkId, grade })),
});
