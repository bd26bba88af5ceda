import { useNavigate } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useTenants, useUnits } from '../api/reach';
import { useScope } from '../api/scope';
import { useMessages } from '../language/language';
import { SubmitButton, useReasons } from '../ui/submit-button';
import { SuggestionField } from '../ui/suggestion-field';
import { messages } from './messages';
import { storeScope } from './scope-search';
import styles from './shell.module.css';

/** Chooses tenant and unit, of those that are offered or by their ids. They are part of the address. */
export function ScopeFields({ onDone }: { onDone: () => void }) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const navigate = useNavigate();
  const { tenantId, tenantUnitId = '' } = useScope();
  const [tenant, setTenant] = useState(tenantId);
  const [unit, setUnit] = useState(tenantUnitId);
  useEffect(() => {
    setTenant(tenantId);
    setUnit(tenantUnitId);
  }, [tenantId, tenantUnitId]);

  const { tenants, refresh: refreshTenants } = useTenants(tenant);
  const { units, refresh: refreshUnits } = useUnits(tenant.trim(), unit);

  const chosen = { tenant: tenant.trim(), unit: unit.trim() || undefined };
  const isChanged = chosen.tenant !== tenantId || (chosen.unit ?? '') !== tenantUnitId;
  const reason = chosen.tenant ? undefined : reasons.missing(t.tenant);
  const show = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!chosen.tenant) return;
    storeScope(chosen);
    // Filters and pages of one tenant mean nothing in another.
    navigate({ to: '.', search: chosen });
    onDone();
  };
  return (
    <form className={styles.scopeFields} aria-label={t.scope} onSubmit={show}>
      <SuggestionField
        autoFocus
        label={t.tenant}
        value={tenant}
        suggestions={tenants.map((value) => ({ value }))}
        required
        maxLength={255}
        onFocus={refreshTenants}
        onChange={(event) => setTenant(event.target.value)}
      />
      <SuggestionField
        label={t.unit}
        value={unit}
        suggestions={units.map((value) => ({ value }))}
        placeholder={t.allUnits}
        maxLength={255}
        onFocus={refreshUnits}
        onChange={(event) => setUnit(event.target.value)}
      />
      <SubmitButton isCompact kind="primary" reason={isChanged ? reason : reasons.unchanged}>
        {t.show}
      </SubmitButton>
    </form>
  );
}
