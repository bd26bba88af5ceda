import { Building2, ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useScope } from '../api/scope';
import { useMessages } from '../language/language';
import { Popover } from '../ui/popover';
import { messages } from './messages';
import styles from './shell.module.css';

const ScopeFields = lazy(() =>
  import('./scope-fields').then(({ ScopeFields }) => ({ default: ScopeFields })),
);

/** The tenant and the unit that are shown; others are chosen in what it opens. */
export function ScopeSwitcher() {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId = t.allUnits } = useScope();
  const scope = `${tenantId} / ${tenantUnitId}`;
  return (
    <Popover
      className={styles.scope ?? ''}
      aria-label={t.scopeIs(scope)}
      title={t.scope}
      content={(close) => (
        <Suspense>
          <ScopeFields onDone={close} />
        </Suspense>
      )}
    >
      <Building2 />
      <span>{scope}</span>
      <ChevronsUpDown />
    </Popover>
  );
}
