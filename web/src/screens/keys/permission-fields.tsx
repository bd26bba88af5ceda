import type { Permission } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import styles from './keys.module.css';
import { messages } from './messages';
import { permissions } from './permissions';
import type { OwnKey } from './use-keys';

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
  const t = useMessages(messages);
  return (
    <fieldset className={styles.permissions}>
      <legend>{t.form.permissions}</legend>
      {permissions.map((permission) => {
        const isLacking = own !== undefined && !own.scopes.includes(permission);
        const isRefused = refused.includes(permission);
        const isChosen = chosen.includes(permission);
        return (
          <label key={permission} className={styles.permission}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isLacking || isRefused}
              onChange={() =>
                onChange(isChosen ? chosen.filter((one) => one !== permission) : [...chosen, permission])
              }
            />
            <span>
              <code>{permission}</code>
              <span className={styles.hint}>{t.permissions[permission]}</span>
              {isLacking && <span className={styles.hint}>{t.form.lacking}</span>}
              {isRefused && <span className={styles.hint}>{t.form.tenantWide}</span>}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
