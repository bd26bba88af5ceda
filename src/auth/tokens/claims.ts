/** What a token says, as it was signed. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_ID_BYTES = 255;
const MAX_NAME_LENGTH = 255;

/** A claim by its name, or by a path with dots: `realm_access.roles`. Names may have dots themselves, as URLs do. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** A text or a list of texts as a list; undefined for everything else. */
export function textsOf(value: unknown): string[] | undefined {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** Whether it can be the id of a tenant, a unit, a dataset or a user. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  Buffer.byteLength(value) <= MAX_ID_BYTES &&
  value.isWellFormed() &&
  !value.includes('\0');

/** A name to show and to store; null where it is none. */
export const displayName = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !value.includes('\0')
    ? value.slice(0, MAX_NAME_LENGTH).toWellFormed()
    : null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
