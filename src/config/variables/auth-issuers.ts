import { z } from 'zod';
import { memberRoles } from '../../../db/enums.js';
import { permissions } from '../../auth/permissions.js';
import { toRolePermissions } from '../../auth/roles.js';
import {
  clientAuthentications,
  EVERY_TENANT,
  newMemberRules,
  tokenAlgorithms,
} from '../../auth/tokens/token-issuer.js';
import { isLoopback } from '../loopback.js';

const MAX_LENGTH = 65_536;
const MAX_ISSUERS = 20;
const MAX_URL_LENGTH = 2_048;
const MAX_TENANTS = 10_000;
const MAX_ROLES = 1_000;
const MAX_SECRET_LENGTH = 1_024;
const MAX_SCOPES = 20;
const MAX_PARAMETERS = 10;
/** What the console sets itself: an other value would let somebody else in, or nobody. */
const OWN_PARAMETERS =
  /^(client_id|client_secret|code_challenge|code_challenge_method|nonce|redirect_uri|request|request_uri|response_mode|response_type|scope|state)$/;
/** So many problems are told at once. */
const MAX_PROBLEMS = 5;

const CLIENT_FIELDS = [
  'clientSecret',
  'clientAuthentication',
  'displayName',
  'signInScopes',
  'signInParameters',
] as const;

/** What a value of the claim of roles can stand for. */
const GRANTS = [...memberRoles, ...permissions] as const;
const NO_GRANT = `must be a role (${memberRoles.join(', ')}) or a permission (${permissions.join(', ')})`;

const text = z.string().min(1).max(255);
const claim = text;
/** RFC 6749, appendix A.4. */
const scope = text.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope, without spaces');
const texts = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(text).min(1).max(20),
);

/** What speaks for others must not be somebody between. */
const secureUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine(isSecure, 'must begin with https://; http:// is for loopback addresses alone')
  .refine(hasNoPassword, 'must have no user and password');

const issuer = z
  .strictObject({
    issuer: secureUrl.refine(hasNoQuery, 'must have no query or fragment'),
    audience: texts.optional(),
    authorizedParties: texts.optional(),
    tenants: z.array(text).min(1).max(MAX_TENANTS),
    tenant: text.optional(),
    tenantClaim: claim.optional(),
    unitsClaim: claim.optional(),
    datasetsClaim: claim.optional(),
    permissionsClaim: claim.default('scope'),
    rolesClaim: claim.default('roles'),
    roles: z
      .record(text, z.array(z.enum(GRANTS, NO_GRANT)).max(GRANTS.length))
      .refine((roles) => Object.keys(roles).length <= MAX_ROLES, `must have at most ${MAX_ROLES} roles`)
      .transform((roles) =>
        Object.fromEntries(
          Object.entries(roles).map(([value, grants]) => [value, toRolePermissions(grants)]),
        ),
      )
      .default({}),
    newMembers: z.enum(newMemberRules).default('permitted'),
    userIdClaim: claim.default('sub'),
    nameClaim: claim.default('name'),
    emailClaim: claim.default('email'),
    algorithms: z
      .array(z.enum(tokenAlgorithms))
      .min(1)
      .max(tokenAlgorithms.length)
      .default(['RS256', 'ES256']),
    clockSkewSeconds: z.int().min(0).max(300).default(30),
    mcpScopes: z.array(scope).max(permissions.length).default([]),
    clientId: text.optional(),
    clientSecret: z.string().min(1).max(MAX_SECRET_LENGTH).optional(),
    clientAuthentication: z.enum(clientAuthentications).optional(),
    displayName: z.string().trim().min(1).max(60).optional(),
    signInScopes: z
      .array(scope)
      .max(MAX_SCOPES)
      .refine((scopes) => scopes.includes('openid'), 'must have openid')
      .optional(),
    signInParameters: z
      .record(text, z.string().max(255))
      .refine((all) => Object.keys(all).length <= MAX_PARAMETERS, `must have at most ${MAX_PARAMETERS}`)
      .refine(
        (all) => !Object.keys(all).some((one) => OWN_PARAMETERS.test(one)),
        'must leave out what Lectern sets',
      )
      .optional(),
    jwksUri: secureUrl.optional(),
  })
  .superRefine(({ tenants, tenant, tenantClaim, ...one }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (one.clientId === undefined && one.audience === undefined)
      refuse('audience', 'must be set, unless people sign in to the console (clientId) and do nothing else');
    for (const field of CLIENT_FIELDS)
      if (one.clientId === undefined && one[field] !== undefined) refuse(field, 'needs clientId');
    if (tenants.includes(EVERY_TENANT) && tenants.length > 1) refuse('tenants', 'must be ["*"] or have no *');
    if (tenant === undefined) return;
    if (tenantClaim !== undefined) refuse('tenantClaim', 'must be left out where tenant is set');
    if (!tenants.includes(EVERY_TENANT) && !tenants.includes(tenant))
      refuse('tenant', 'must be one of tenants');
  })
  .transform(
    ({
      clientId,
      clientSecret,
      clientAuthentication = 'client_secret_basic',
      displayName,
      signInScopes: scopes,
      signInParameters: parameters = {},
      ...one
    }) => ({
      ...one,
      audience: one.audience ?? [],
      tenantClaim: one.tenantClaim ?? 'tenant_id',
      ...(clientId !== undefined && {
        signIn: { clientId, clientSecret, clientAuthentication, displayName, scopes, parameters },
      }),
    }),
  );

const issuers = z
  .array(issuer)
  .min(1)
  .max(MAX_ISSUERS)
  .superRefine((list, context) => {
    for (const [index, { issuer: name, tenants }] of list.entries()) {
      const refuse = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index, field], message });
      if (list.findIndex((other) => other.issuer === name) < index)
        refuse('issuer', 'must not be there twice');
      if (tenants.includes(EVERY_TENANT) && list.length > 1)
        refuse('tenants', 'must not be ["*"] where there are several issuers');
    }
  });

/** One issuer or several, as JSON. */
export const authIssuers = z
  .string()
  .max(MAX_LENGTH)
  .optional()
  .transform((json, context) => {
    if (json === undefined) return [];
    const given = parse(json);
    if (given === undefined) {
      context.addIssue({ code: 'custom', message: 'must be JSON: an object, or a list of objects' });
      return z.NEVER;
    }
    const isList = Array.isArray(given);
    const result = issuers.safeParse(isList ? given : [given]);
    if (result.success) return result.data;
    const problems = result.error.issues
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => `${placeOf(isList ? path : path.slice(1))}${message}`);
    context.addIssue({ code: 'custom', message: problems.join('; ') });
    return z.NEVER;
  });

function parse(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Such as `[0].issuer: `. */
function placeOf(path: PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return path.length === 0 ? '' : `${parts.join('').replace(/^\./, '')}: `;
}

function isSecure(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function hasNoPassword(url: string): boolean {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  return username + password === '';
}

function hasNoQuery(url: string): boolean {
  return !/[?#]/.test(url);
}
