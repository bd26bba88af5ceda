import { z } from 'zod';
import {
  collection,
  collectionRef,
  evaluation,
  evaluationResult,
  evaluationRun,
  judgedQuestion,
  question,
  questionFilter,
  questionRef,
  unitOfEvaluations,
} from '../services/evaluations/evaluations.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

export const evaluations = {
  list: tenantProcedure('search', unitOfEvaluations)
    .output(z.array(collection))
    .query(({ ctx, input }) => ctx.services.evaluations.list(input)),

  questions: tenantProcedure('search', questionFilter)
    .output(pageSchema(question))
    .query(({ ctx, input }) => ctx.services.evaluations.questions(input)),

  saveQuestion: tenantProcedure('documents:write', judgedQuestion)
    .output(question)
    .mutation(({ ctx, input }) => ctx.services.evaluations.saveQuestion(input, ctx.actor)),

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
