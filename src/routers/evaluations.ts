import { z } from 'zod';
import {
  collection,
  collectionRef,
  type ExpectedChunkState,
  evaluation,
  evaluationResult,
  evaluationRun,
  judgedQuestion,
  question,
  questionFilter,
  questionRef,
  savedQuestion,
  unitOfEvaluations,
} from '../services/evaluations/evaluations.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import { mayRead } from './without-unread.js';

const withoutText = ({ documentName: _, excerpt: __, ...expected }: ExpectedChunkState) => expected;

export const evaluations = {
  list: tenantProcedure('search', unitOfEvaluations)
    .output(z.array(collection))
    .query(({ ctx, input }) => ctx.services.evaluations.list(input)),

  questions: tenantProcedure('search', questionFilter)
    .output(pageSchema(question))
    .query(({ ctx, input }) => ctx.services.evaluations.questions(input)),

  saveQuestion: tenantProcedure('documents:write', judgedQuestion)
    .output(savedQuestion)
    .mutation(async ({ ctx, input }) => {
      const saved = await ctx.services.evaluations.saveQuestion(input, ctx.actor);
      return mayRead(ctx, 'search') ? saved : { ...saved, expected: saved.expected.map(withoutText) };
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
