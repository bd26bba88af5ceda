import type { Permission } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { Check, CheckGroup } from '../../ui/check';
import { permissionMessages } from '../permissions/messages';
import { permissions } from '../permissions/permissions';
import { keyMessages } from './messages';
import type { OwnKey } from './use-refresh-keys';

interface PermissionFieldsProps {
  chosen: readonly Permission[];
  /** Not for a key like this. */
  refused: readonly Permission[];
  /** The key of the user, which can grant no more than it has. */
  own: OwnKey | undefined;
  onChange: (chosen: Permission[]) => void;
}

/** What a key may do, a sentence each. */
export function PermissionFields({ chosen, refused, own, onChange }: PermissionFieldsProps) {
  const t = useMessages(keyMessages);
  const sentences = useMessages(permissionMessages);
  return (
    <CheckGroup label={t.permissions} isGrid>
      {permissions.map((permission) => {
        const isLacking = own !== undefined && !own.scopes.includes(permission);
        const isRefused = refused.includes(permission);
        const isChosen = chosen.includes(permission);
        return (
          <Check
            key={permission}
            name={permission}
            hints={[
              sentences[permission],
              ...(isLacking ? [t.lacking] : []),
              ...(isRefused ? [t.tenantWide] : []),
            ]}
            checked={isChosen}
            disabled={isLacking || isRefused}
            onChange={() =>
              onChange(isChosen ? chosen.filter((one) => one !== permission) : [...chosen, permission])
            }
          />
        );
      })}
    </CheckGroup>
  );
}
