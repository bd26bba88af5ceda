import { z } from 'zod';
import { forbidden } from '../errors/errors.js';
import {
  collection,
  collectionRef,
  type ExpectedChunkState,
  evaluation,
  evaluationResult,
  evaluationRun,
  judgedQuestion,
  type Question,
  question,
  questionFilter,
  questionFromMessage,
  questionRef,
  savedQuestion,
  unitOfEvaluations,
} from '../services/evaluations/evaluations.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import type { Context } from './trpc.js';
import { mayRead } from './without-unread.js';

const withoutText = ({ documentName: _, excerpt: __, ...expected }: ExpectedChunkState) => expected;

const toSaved = (ctx: Context, saved: Question) =>
  mayRead(ctx, 'search') ? saved : { ...saved, expected: saved.expected.map(withoutText) };

const MUST_READ = 'This API key may not do this: it lacks the scope conversations:read.';

export const evaluations = {
  list: tenantProcedure('search', unitOfEvaluations)
    .output(z.array(collection))
    .query(({ ctx, input }) => ctx.services.evaluations.list(input)),

  questions: tenantProcedure('search', questionFilter)
    .output(pageSchema(question))
    .query(({ ctx, input }) => ctx.services.evaluations.questions(input)),

  saveQuestion: tenantProcedure('documents:write', judgedQuestion)
    .output(savedQuestion)
    .mutation(async ({ ctx, input }) =>
      toSaved(ctx, await ctx.services.evaluations.saveQuestion(input, ctx.actor)),
    ),

  /** What is told of a conversation then belongs to all who may search: only for those who may read it. */
  addFromMessage: tenantProcedure('documents:write', questionFromMessage)
    .output(savedQuestion)
    .mutation(async ({ ctx, input }) => {
      if (!mayRead(ctx, 'conversations:read')) throw forbidden(MUST_READ);
      return toSaved(ctx, await ctx.services.evaluations.addFromMessage(input, ctx.actor));
    }),

  removeQuestion: tenantProcedure('documents:write', questionRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.evaluations.removeQuestion(input, ctx.actor)),

  run: tenantProcedure('search', evaluation)
    .output(evaluationResult)
    .mutation(({ ctx, input, signal }) => ctx.services.evaluationRuns.run(input, ctx.actor, signal)),

  runs: tenantProcedure('search', collectionRef)
    .output(z.array(evaluationRun))
    .query(({ ctx, input }) => ctx.services.evaluations.runs(input)),
};
