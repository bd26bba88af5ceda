import { SignInFailure } from './sign-in-failure.js';

/** Whether an error means that a server did not answer. */
export type FetchFailureTest = (error: unknown) => error is Error;

/** What the provider says where the user, or its own rules, do not let somebody in. */
const DENIALS = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);
/** What it says where it cannot answer now. */
const OUTAGES = new Set(['temporarily_unavailable', 'server_error']);
/** What it says of a code or a refresh token that is used, expired or withdrawn. */
const EXPIRED = new Set(['invalid_grant']);
const MAX_CAUSES = 5;
const ERROR_CODE = /^[\w.-]{1,64}$/;

/** Explains what the library or the request threw. Errors of providers are told by their code alone: texts may hold anything. */
export function toSignInFailure(error: unknown, isFetchFailure: FetchFailureTest): SignInFailure {
  const chain = causesOf(error);
  const failure = chain.find((one) => one instanceof SignInFailure);
  if (failure) return failure;
  const lost = chain.find(isFetchFailure);
  if (lost)
    return new SignInFailure('unavailable', `The provider does not answer: ${lost.message}`, {
      cause: error,
    });
  if (chain.some(({ code }) => code === 'OAUTH_TIMEOUT'))
    return new SignInFailure('unavailable', 'The provider does not answer in time.', { cause: error });
  const code = chain.map((one) => one.error).find((one) => typeof one === 'string' && ERROR_CODE.test(one));
  if (code !== undefined) {
    const reason = `The provider answers ${code}.`;
    if (DENIALS.has(code)) return new SignInFailure('denied', reason);
    if (OUTAGES.has(code)) return new SignInFailure('unavailable', reason);
    if (EXPIRED.has(code)) return new SignInFailure('expired', reason);
    return new SignInFailure('misconfigured', reason);
  }
  const [first] = chain;
  return new SignInFailure('misconfigured', first?.message ?? 'The answer of the provider does not fit.', {
    cause: error,
  });
}

function causesOf(error: unknown): (Error & { code?: unknown; error?: string })[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause)
    chain.push(next);
  return chain;
}
