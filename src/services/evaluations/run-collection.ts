import { v7 as uuid } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { notFound, unavailable } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import type { Search } from '../search/search.js';
import type { Actor } from '../shared/actor.js';
import { type TenantUnitRef, tenantColumns } from '../shared/tenant-scope.js';
import { findIdempotentResult, type WriteTransaction } from '../shared/write-transaction.js';
import {
  type Evaluation,
  type EvaluationResult,
  MAX_QUESTIONS,
  MAX_RUNS,
  type Question,
} from './evaluations.schema.js';
import { evaluate, measureRanking } from './measures.js';
import { hasQuestions, lockCollections, toQuestions, toRun, withinReach } from './rows.js';

/** How deep a rank is looked for. */
const DEPTH = 20;
const AT_A_TIME = 4;
/** A run that takes longer is given up. */
const MAX_SECONDS = 60;

export interface EvaluationRunsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  search: Search;
  clock: () => Date;
  maxPageSize: number;
}

export type EvaluationRuns = ReturnType<typeof createEvaluationRuns>;

type Answer = Omit<Awaited<ReturnType<Search['search']>>, 'hits'> & { chunkIds: string[] };

/** Searches for every question of a collection, and measures what is found. */
export function createEvaluationRuns(dependencies: EvaluationRunsDependencies) {
  const { db, writeTransaction, search, clock, maxPageSize } = dependencies;
  const limit = createConcurrencyLimit({ perKey: 1 });
  return { run };

  /**
   * One run of a tenant at a time. Expected chunks that are gone count as not found.
   *
   * @throws DomainError `not_found` for a collection without questions, `unavailable` after a minute
   */
  async function run(input: Evaluation, actor: Actor, signal?: AbortSignal): Promise<EvaluationResult> {
    const { scope, collection } = input;
    const earlier = await findIdempotentResult<EvaluationResult>(db, { scope, actor });
    if (earlier) return earlier.result;
    return limit.run(
      scope.tenantId,
      async () => {
        const questions = await readQuestions(scope, collection);
        if (questions.length === 0) throw collectionNotFound();
        const begin = performance.now();
        const answers = await answerAll(questions, input, signal);
        const result = assess(questions, answers);
        return save(input, actor, { ...result, durationMs: performance.now() - begin });
      },
      signal,
    );
  }

  async function readQuestions(scope: TenantUnitRef, collection: string): Promise<Question[]> {
    const rows = await db
      .selectFrom('evaluationQuestions')
      .selectAll()
      .where(withinReach(scope))
      .where('collection', '=', collection)
      .orderBy('createdTime')
      .orderBy('id')
      .limit(MAX_QUESTIONS)
      .execute();
    return toQuestions(db, scope, rows);
  }

  async function answerAll(
    questions: Question[],
    { scope, mode, synonyms }: Evaluation,
    signal: AbortSignal | undefined,
  ): Promise<Answer[]> {
    const end = performance.now() + MAX_SECONDS * 1_000;
    const answers: Answer[] = [];
    const waiting = [...questions.entries()];
    const answerRest = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        signal?.throwIfAborted();
        if (performance.now() > end) throw tookTooLong(questions.length);
        const [place, { datasetIds, query, language }] = next;
        const topK = Math.min(DEPTH, maxPageSize);
        const asked = { scope, datasetIds, query, language, mode, synonyms, topK };
        const { hits, ...found } = await search.search(asked);
        answers[place] = { ...found, chunkIds: hits.map(({ id }) => id) };
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, answerRest));
    return answers;
  }

  async function save(
    { scope, collection, mode, synonyms = true }: Evaluation,
    actor: Actor,
    { byQuestion, ...measured }: Assessment & { durationMs: number },
  ): Promise<EvaluationResult> {
    return writeTransaction({ scope, actor }, async (tx) => {
      // Its last question may have been removed meanwhile, and its runs with it.
      await lockCollections(tx, scope);
      if (!(await hasQuestions(tx, scope, collection))) throw collectionNotFound();
      const row = await tx
        .insertInto('evaluationRuns')
        .values({
          ...tenantColumns(scope),
          id: uuid(),
          collection,
          askedMode: mode ?? null,
          synonyms,
          ...measured,
          createdTime: clock(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await deleteSurplus(tx, scope, collection);
      const { questions, ndcgAt10, recallAt5 } = measured;
      await auditWrites(tx, scope.tenantId, actor, [
        {
          action: 'evaluations.run',
          subject: { type: 'evaluation', id: row.id },
          tenantUnitId: scope.tenantUnitId,
          after: { collection, mode, synonyms, questions, ndcgAt10, recallAt5 },
        },
      ]);
      return { ...toRun(row), byQuestion };
    });
  }
}

type Assessment = ReturnType<typeof assess>;

function assess(questions: Question[], answers: Answer[]) {
  const judgements = new Map(
    questions.map(({ id, expected }) => [id, new Map(expected.map((one) => [one.chunkId, one.grade]))]),
  );
  const run = new Map(questions.map(({ id }, place) => [id, answers[place]?.chunkIds ?? []]));
  const { ndcgAt10, recallAt5 } = evaluate(judgements, run);
  const byQuestion = questions.map(({ id, query, expected }) => {
    const chunkIds = run.get(id) ?? [];
    const measured = measureRanking(judgements.get(id) ?? new Map(), chunkIds);
    return {
      questionId: id,
      query,
      ndcgAt10: measured.ndcgAt10,
      recallAt5: measured.recallAt5,
      expected: expected.map((one) => ({ ...one, rank: chunkIds.indexOf(one.chunkId) + 1 || null })),
    };
  });
  const expected = questions.flatMap((question) => question.expected);
  return {
    ndcgAt10,
    recallAt5,
    byQuestion,
    questions: questions.length,
    expected: expected.length,
    gone: expected.filter(({ state }) => state === 'gone').length,
    modes: [...new Set(answers.map(({ mode }) => mode))],
    engines: [...new Set(answers.map(({ engine }) => engine))],
    datasetIds: [...new Set(questions.flatMap(({ datasetIds }) => datasetIds))],
  };
}

async function deleteSurplus(
  tx: Queryable,
  { tenantId, tenantUnitId }: TenantUnitRef,
  collection: string,
): Promise<void> {
  await tx
    .deleteFrom('evaluationRuns')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('evaluationRuns')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('tenantUnitId', '=', tenantUnitId)
        .where('collection', '=', collection)
        .orderBy('createdTime', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_RUNS),
    )
    .execute();
}

const collectionNotFound = () => notFound('Collection', ['collection']);

const tookTooLong = (questions: number) =>
  unavailable(
    `The ${questions} questions were not answered within ${MAX_SECONDS} seconds, and nothing was kept. Try again later, or split the collection.`,
  );
