import { credentialName, type KeyAccess } from '../../auth/permissions.js';
import { forbidden } from '../../errors/errors.js';

/**
 * For what all units of a tenant share.
 *
 * @param what that is, as the start of a sentence
 * @throws DomainError `forbidden` for a key that is restricted to units
 */
export function assertWholeTenant(access: KeyAccess | undefined, what: string): void {
  if (access?.tenantUnitIds)
    throw forbidden(
      `${what} all units of the tenant; ${credentialName(access).replace('This', 'this')} is restricted to some.`,
      ['scope', 'tenantUnitId'],
    );
}
