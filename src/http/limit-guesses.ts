import type { Request } from 'express';
import type { GuessLimit } from '../access/limits/guess-limit.js';
import { DomainError } from '../errors.js';
import { networkOf } from './caller-network.js';
import type { GuardStep } from './guard.js';
import { refuseForNow, tellStandings } from './rate-limit-fields.js';

/** The step that asks for a key, for callers only who have not failed it too often of late. */
export const limitGuesses =
  (guesses: GuessLimit, requireKey: GuardStep): GuardStep =>
  async (req, res) => {
    const [address, credentials] = [networkOf(req), credentialsOf(req)];
    const refusal = guesses.refusalOf(address, credentials);
    if (refusal) {
      tellStandings(res, [refusal]);
      refuseForNow(res, refusal);
    }
    try {
      await requireKey(req, res);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthorized')
        guesses.noteFailure(address, credentials);
      throw error;
    }
    guesses.noteSuccess(credentials);
  };

const credentialsOf = (req: Request): string =>
  JSON.stringify([req.get('x-api-key'), req.get('authorization')]);
