import { createKeySet } from './key-set.js';
import { type FetchJson, loadKeys } from './load-keys.js';
import type { TokenIssuer } from './token-issuer.js';
import type { KnownIssuer } from './verify-token.js';

interface IssuersDependencies {
  fetchJson: FetchJson;
  clock: () => Date;
  /** Called when the keys of an issuer could not be loaded. */
  onError: (error: unknown, issuer: string) => void;
}

/** The issuers by their name, each with its keys, which are loaded when they are needed. */
export const createIssuers = (
  issuers: readonly TokenIssuer[],
  { fetchJson, clock, onError }: IssuersDependencies,
): ReadonlyMap<string, KnownIssuer> =>
  new Map(
    issuers.map((issuer) => {
      const keySet = createKeySet({
        load: async () => (await loadKeys(issuer, fetchJson)).keys,
        clock,
        onError: (error) => onError(error, issuer.issuer),
      });
      return [issuer.issuer, { issuer, keySet }];
    }),
  );
