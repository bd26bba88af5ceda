/** Of who leaves it open. */
export const DEFAULT_NAME = 'embedded_postgres';

/**
 * A name serves as that of a PostgreSQL role, of files and of a folder below /var/lib.
 *
 * @throws TypeError when it cannot
 */
export function assertName(name: string): void {
  if (!/^(?!pg_)[a-z][a-z0-9_]{0,39}$/.test(name))
    throw new TypeError(
      `The name ${JSON.stringify(name)} is not one of at most 40 lower-case letters, digits and underscores that begins with a letter, and not with pg_.`,
    );
}
