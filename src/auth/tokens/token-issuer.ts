import type { Permission } from '../permissions.js';

/** Signatures with public keys. Those with a shared secret are not accepted: a public key would be one. */
export const tokenAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** In `tenants`: the issuer may speak for every tenant. */
export const EVERY_TENANT = '*';

export const newMemberRules = ['permitted', 'everybody'] as const;
/** Whose tokens make a member: those that permit something, or all of them. */
export type NewMemberRule = (typeof newMemberRules)[number];

export const clientAuthentications = ['client_secret_basic', 'client_secret_post'] as const;

/** The client of a provider as which the console signs people in. */
export interface SignInClient {
  clientId: string;
  /** A public client where undefined: PKCE protects it alone. */
  clientSecret?: string | undefined;
  clientAuthentication: (typeof clientAuthentications)[number];
  /** On the button; the host of the issuer where undefined. */
  displayName?: string | undefined;
  /** What it asks for; what most providers need for a session that lasts where undefined. */
  scopes?: readonly string[] | undefined;
  /** Further parameters of the request that a person is sent to the provider with. */
  parameters: Readonly<Record<string, string>>;
}

/** A provider whose tokens authenticate, and how its claims are read. */
export interface TokenIssuer {
  /** The `iss` of its tokens, character by character. */
  issuer: string;
  /** A token must be for one of them; where there is none, users only sign in to the console. */
  audience: readonly string[];
  /** The clients whose tokens are accepted; those of all where undefined. */
  authorizedParties?: readonly string[] | undefined;
  /** The tenants that it may speak for. */
  tenants: readonly string[];
  /** The tenant of all its tokens; otherwise `tenantClaim` says. */
  tenant?: string | undefined;
  tenantClaim: string;
  /** All units of the tenant where undefined. */
  unitsClaim?: string | undefined;
  /** All datasets of the tenant where undefined. */
  datasetsClaim?: string | undefined;
  permissionsClaim: string;
  rolesClaim: string;
  /** The permissions of each value of `rolesClaim`. */
  roles: Readonly<Record<string, readonly Permission[]>>;
  userIdClaim: string;
  nameClaim: string;
  emailClaim: string;
  newMembers: NewMemberRule;
  algorithms: readonly TokenAlgorithm[];
  clockSkewSeconds: number;
  /** The scopes that clients of MCP ask it for. */
  mcpScopes: readonly string[];
  /** Nobody signs in to the console by this provider where undefined. */
  signIn?: SignInClient | undefined;
  /** Where its keys are; otherwise its discovery document says. */
  jwksUri?: string | undefined;
}
