import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { DomainError } from '../../errors/errors.js';
import type { KeyFinder, KeySet } from './key-set.js';
import type { McpResource } from './mcp-resource.js';
import { readGrant, type TokenGrant } from './read-grant.js';
import { RefusedTokenError } from './refused-token.js';
import { MAX_TOKEN_LENGTH } from './token-form.js';
import type { TokenIssuer } from './token-issuer.js';

/** An issuer with its keys. */
export interface KnownIssuer {
  issuer: TokenIssuer;
  keySet: KeySet;
}

/** Tokens that are not for access: the notice of a logout, among others, has the same issuer and audience. */
const TYPES = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);
/** What `Date` can hold. */
const MAX_SECONDS = 8_640_000_000_000;

/**
 * The issuer that a token names, before anything is verified.
 *
 * @throws RefusedTokenError
 */
export function issuerOf(text: string, issuers: ReadonlyMap<string, KnownIssuer>): KnownIssuer {
  if (text.length > MAX_TOKEN_LENGTH)
    throw new RefusedTokenError(`It is longer than ${MAX_TOKEN_LENGTH} characters.`);
  const { iss } = decode(text);
  const found = typeof iss === 'string' ? issuers.get(iss) : undefined;
  if (!found) throw new RefusedTokenError('No configured issuer has its iss.');
  return found;
}

function decode(text: string): JWTPayload {
  try {
    return decodeJwt(text);
  } catch {
    throw new RefusedTokenError('It is no JSON Web Token.');
  }
}

export interface VerifiedToken {
  grant: TokenGrant;
  /** Whether its audience is the MCP endpoint alone. */
  isForMcp: boolean;
  /** Those that verified it. */
  keys: KeyFinder;
}

/**
 * Verifies a token of an issuer, with keys that are loaded anew once if they lack the one of the token.
 *
 * @throws RefusedTokenError, DomainError `unavailable` while no keys are known
 */
export async function verifyToken(
  text: string,
  { issuer, keySet }: KnownIssuer,
  { now, mcpResource }: { now: Date; mcpResource?: McpResource | undefined },
): Promise<VerifiedToken> {
  const refuse = (reason: string) => new RefusedTokenError(reason, issuer.issuer);
  const audience = [...issuer.audience, ...(mcpResource ? [mcpResource.identifier] : [])];
  assertHeader(text, issuer, refuse);
  const keys = await keySet.current();
  try {
    return await verifyWith(keys);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw explain(error, { issuer, audience }, refuse);
  }
  try {
    return await verifyWith(await keySet.newer(keys));
  } catch (error) {
    throw explain(error, { issuer, audience }, refuse);
  }

  async function verifyWith(keys: KeyFinder) {
    const { payload } = await jwtVerify(text, keys, {
      issuer: issuer.issuer,
      audience,
      algorithms: [...issuer.algorithms],
      clockTolerance: issuer.clockSkewSeconds,
      currentDate: now,
      requiredClaims: ['exp', 'sub'],
    });
    assertClaims(payload, issuer, now, refuse);
    const isForMcp = ![payload.aud].flat().some((one) => one !== undefined && issuer.audience.includes(one));
    return { grant: readGrant(payload, issuer), isForMcp, keys };
  }
}

type Refuse = (reason: string) => RefusedTokenError;

/** Before keys are looked for. */
function assertHeader(text: string, { algorithms }: TokenIssuer, refuse: Refuse): void {
  const { alg, typ } = readHeader(text, refuse);
  if (!algorithms.some((one) => one === alg)) throw refuse(notAllowed(algorithms));
  if (typ !== undefined && (typeof typ !== 'string' || !TYPES.has(typ.toLowerCase())))
    throw refuse('Its typ is not that of an access token.');
}

function readHeader(text: string, refuse: Refuse) {
  try {
    return decodeProtectedHeader(text);
  } catch {
    throw refuse('It is no JSON Web Token.');
  }
}

/** What jose leaves open. */
function assertClaims(claims: JWTPayload, issuer: TokenIssuer, now: Date, refuse: Refuse): void {
  const { iat, exp = 0, aud, azp } = claims;
  if (exp > MAX_SECONDS) throw refuse('Its exp is beyond all times.');
  if (iat !== undefined && iat > now.getTime() / 1000 + issuer.clockSkewSeconds)
    throw refuse('Its iat is in the future.');
  const { authorizedParties } = issuer;
  const party = azp ?? claims.client_id;
  if (Array.isArray(aud) && aud.length > 1 && typeof party !== 'string')
    throw refuse('It has several audiences, and no azp says who got it.');
  if (authorizedParties && !authorizedParties.some((one) => one === party))
    throw refuse('Its azp is none of authorizedParties.');
}

const notAllowed = (algorithms: readonly string[]) => `Its alg is none of ${algorithms.join(', ')}.`;

interface Expected {
  issuer: TokenIssuer;
  audience: string[];
}

function explain(error: unknown, { issuer, audience }: Expected, refuse: Refuse): Error {
  if (error instanceof RefusedTokenError || error instanceof DomainError) return error;
  if (error instanceof errors.JWTExpired) return refuse('It has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) return refuse(explainClaim(error, audience));
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse('Its signature is not that of the key which it names.');
  if (error instanceof errors.JWKSNoMatchingKey) return refuse('The issuer has no key with its kid and alg.');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return refuse('It has no kid, and the issuer has several keys that fit.');
  if (error instanceof errors.JOSEAlgNotAllowed) return refuse(notAllowed(issuer.algorithms));
  const { code = 'unknown' } = error as { code?: string };
  return refuse(`It cannot be verified (${code}).`);
}

function explainClaim({ claim, reason }: errors.JWTClaimValidationFailed, audience: string[]): string {
  if (reason === 'missing') return `It has no ${claim}.`;
  if (claim === 'aud' && audience.length === 0)
    return 'Its issuer has no audience in AUTH_ISSUERS: its users only sign in to the console.';
  if (claim === 'aud') return `Its aud is none of ${audience.join(', ')}.`;
  if (claim === 'nbf') return 'It is not valid yet.';
  return `Its ${claim} does not fit.`;
}
