import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import { type AdmitUser, createAdmitUser } from '../auth/members/admit-user.js';
import { createFindMember } from '../auth/members/find-member.js';
import { createRecordMember, storeMember } from '../auth/members/record-member.js';
import { signInProviders } from '../auth/sign-in/providers.js';
import { createSignIn, type SignIn } from '../auth/sign-in/sign-in.js';
import { createIssuers } from '../auth/tokens/issuers.js';
import type { KnownIssuer } from '../auth/tokens/verify-token.js';
import type { Config } from '../config/config.js';
import { FetchError } from '../outbound-http/fetch-error.js';
import { fetchJson } from '../outbound-http/fetch-json.js';
import { fetchResponse } from '../outbound-http/fetch-response.js';

/** Whom issuers vouch for: by tokens, and by signing people in. */
export interface Identity {
  issuers: ReadonlyMap<string, KnownIssuer>;
  admitUser: AdmitUser;
  signIn: SignIn;
}

interface IdentityDependencies {
  db: Database;
  /** For what requests do not wait for. */
  backgroundDb: Database;
  clock: () => Date;
  log: Logger;
}

export function createIdentity(
  { authIssuers, publicUrl, fetchAllowHosts }: Config,
  { db, backgroundDb, clock, log }: IdentityDependencies,
): Identity {
  const issuers = createIssuers(authIssuers, {
    fetchJson: (url, hosts) => fetchJson(url, [...fetchAllowHosts, ...hosts]),
    clock,
    onError: (err, issuer) => log.warn({ err, issuer }, 'could not load the keys of an issuer of tokens'),
  });
  const onError = (err: unknown) => log.warn({ err }, 'could not record a member');
  const admitUser = createAdmitUser({
    findMember: createFindMember(db),
    recordMember: createRecordMember({ db: backgroundDb, onError }),
    clock,
  });
  const signIn = createSignIn({
    providers: signInProviders(authIssuers, publicUrl),
    issuers,
    admitUser,
    storeMember: (tenantId, user, now) => storeMember(db, tenantId, user, now),
    fetchResponse: (url, request, hosts) => fetchResponse(url, request, [...fetchAllowHosts, ...hosts]),
    isFetchFailure: (error): error is Error => error instanceof FetchError,
    clock,
    log,
  });
  return { issuers, admitUser, signIn };
}
