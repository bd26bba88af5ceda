import { randomBytes } from 'node:crypto';
import { deriveBytes, seal, unseal } from './seal.js';

/** How long somebody may take to sign in at the provider. */
export const ATTEMPT_MS = 10 * 60_000;

/** What the browser is to do once it is signed in. */
export interface Attempt {
  providerId: string;
  /** A path of the console. */
  returnTo: string;
  /** The one that the user has chosen, of several. */
  tenantId?: string | undefined;
}

/** What of an attempt goes to the provider, and what does not. */
export interface AttemptParameters {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export type OpenedAttempt = Attempt & AttemptParameters;

const STATE = 'state of a sign-in';
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;
/** In base64url. */
const MAX_STATE_LENGTH = 8_192;

/** A secret for the sign-ins of a browser, which it keeps as a cookie. */
export const generateAttemptSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const isAttemptSecret = (text: string | undefined): text is string =>
  text !== undefined && SECRET.test(text);

/**
 * Begins an attempt. All of it is in the state, which only the secret of the browser opens; nonce and verifier follow from both.
 * So nothing has to be stored for strangers, any process can end it, and several tabs can sign in at a time.
 */
export function beginAttempt(attempt: Attempt, secret: string, now: Date): AttemptParameters {
  const text = JSON.stringify([
    attempt.providerId,
    attempt.returnTo,
    attempt.tenantId ?? null,
    now.getTime(),
  ]);
  const state = seal(text, secret, STATE).toString('base64url');
  return { state, ...secretsOf(state, secret) };
}

/** @returns undefined where this browser did not begin it, or too long ago */
export function openAttempt(state: string, secret: string | undefined, now: Date): OpenedAttempt | undefined {
  if (!isAttemptSecret(secret) || state.length > MAX_STATE_LENGTH) return undefined;
  const text = unseal(Buffer.from(state, 'base64url'), secret, STATE);
  if (text === undefined) return undefined;
  const [providerId, returnTo, tenantId, begunMs] = JSON.parse(text) as [
    string,
    string,
    string | null,
    number,
  ];
  if (now.getTime() - begunMs > ATTEMPT_MS) return undefined;
  return { providerId, returnTo, tenantId: tenantId ?? undefined, state, ...secretsOf(state, secret) };
}

const secretsOf = (state: string, secret: string) => ({
  nonce: deriveBytes(secret, `nonce of ${state}`).toString('base64url'),
  codeVerifier: deriveBytes(secret, `code verifier of ${state}`).toString('base64url'),
});
