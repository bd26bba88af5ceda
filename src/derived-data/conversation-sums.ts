const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Upper bounds of the buckets for how long a first answer takes, in milliseconds; the last bucket has what is above. */
export const FIRST_ANSWER_BOUNDS_MS = [
  ...[500, 1_000, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000, 45_000],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 24 * HOUR],
];
/** The numbers of the buckets, as PostgreSQL counts places of an array. */
export const FIRST_ANSWER_PLACES = Array.from({ length: FIRST_ANSWER_BOUNDS_MS.length + 1 }, (_, i) => i + 1);

/** What the counters add up, besides the buckets of first answers. */
export const NO_SUMS = {
  conversations: 0,
  userMessages: 0,
  agentMessages: 0,
  inputTokens: 0,
  answerTokens: 0,
  totalTokens: 0,
  up: 0,
  down: 0,
  firstAnswerMs: 0,
};
export const SUMMED = Object.keys(NO_SUMS) as (keyof typeof NO_SUMS)[];
export const NO_ANSWERS: readonly number[] = FIRST_ANSWER_PLACES.map(() => 0);
