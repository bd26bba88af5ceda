/** Longer questions are cut: a model would not tell more of them. */
const MAX_QUESTION_LENGTH = 2_000;

/** A question as models are asked it. */
export const cutQuestion = (question: string): string =>
  question.length > MAX_QUESTION_LENGTH ? question.slice(0, MAX_QUESTION_LENGTH).toWellFormed() : question;
