import type { GuessLimit } from '../access/limits/guess-limit.js';
import { DomainError } from '../errors.js';
import { networkOf } from './caller-network.js';
import { type GuardStep, keyOf } from './guard.js';
import { refuseForNow, tellStandings } from './rate-limit-fields.js';

/** The step that asks for a key, for callers only who have not failed it too often of late, or have one. */
export const limitGuesses =
  (guesses: GuessLimit, requireKey: GuardStep): GuardStep =>
  async (req, res) => {
    const address = networkOf(req);
    const refusal = await guesses.refusalOf(address, keyOf(req));
    if (refusal) {
      tellStandings(res, [refusal]);
      refuseForNow(res, refusal);
    }
    try {
      await requireKey(req, res);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthorized') guesses.noteFailure(address);
      throw error;
    }
  };
