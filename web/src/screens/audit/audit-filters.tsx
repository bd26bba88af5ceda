import { getRouteApi } from '@tanstack/react-router';
import { useLanguage, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { FilterField } from '../../ui/filter-field';
import { useActions } from './actions';
import styles from './audit.module.css';
import { messages } from './messages';
import { type AuditSearch, readAuditSearch } from './search-params';
import { useKeyNames } from './use-key-names';

const PERIODS = [
  { name: 'hour', hours: 1 },
  { name: 'day', hours: 24 },
  { name: 'week', hours: 168 },
] as const;

const route = getRouteApi('/audit');

/** Filters of the log, which are part of the address. */
export function AuditFilters() {
  const t = useMessages(messages);
  const { language } = useLanguage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const keyNames = useKeyNames();
  const actions = useActions();
  const filter = (changed: { [Name in keyof AuditSearch]: string }) =>
    navigate({ search: (now) => ({ ...now, ...readAuditSearch({ ...now, ...changed }), page: undefined }) });
  const fields = [
    { name: 'subject', label: t.subject, suggestions: [] },
    { name: 'key', label: t.key, suggestions: [...keyNames].map(([value, text]) => ({ value, text })) },
    { name: 'user', label: t.user, suggestions: [] },
  ] as const;
  return (
    <section className={styles.filters} aria-label={t.filters}>
      <Select
        label={t.action}
        value={search.action ?? ''}
        options={[
          { value: '', text: t.any },
          ...offered(actions, search.action, language).map(([value, text]) => ({ value, text })),
        ]}
        onChange={({ target }) => filter({ action: target.value })}
      />
      {fields.map(({ name, label, suggestions }) => (
        <FilterField
          key={name}
          label={label}
          value={search[name] ?? ''}
          placeholder={t.any}
          suggestions={suggestions}
          onFilter={(value) => filter({ [name]: value })}
        />
      ))}
      <TimeFilter label={t.since} value={search.since} onFilter={(value) => filter({ since: value })} />
      <TimeFilter label={t.until} value={search.until} onFilter={(value) => filter({ until: value })} />
      <fieldset className={styles.periods}>
        <legend className="unseen">{t.period}</legend>
        {PERIODS.map(({ name, hours }) => (
          <Button key={name} size="small" onClick={() => filter({ since: hoursAgo(hours), until: '' })}>
            {t.periods[name]}
          </Button>
        ))}
      </fieldset>
    </section>
  );
}

/** By their words, so that typing these finds one. The action of the address may be one of a newer server. */
function offered(
  actions: readonly [action: string, words: string][],
  chosen: string | undefined,
  language: string,
): [action: string, words: string][] {
  const isKnown = chosen === undefined || actions.some(([action]) => action === chosen);
  const all: [string, string][] = isKnown ? [...actions] : [...actions, [chosen, chosen]];
  return all.sort(([, one], [, other]) => one.localeCompare(other, language));
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

interface TimeFilterProps {
  label: string;
  value: string | undefined;
  onFilter: (value: string) => void;
}

/** Filters by a moment, in the time of the browser. */
function TimeFilter({ label, value, onFilter }: TimeFilterProps) {
  return (
    <TextField
      key={value}
      label={label}
      type="datetime-local"
      defaultValue={value && toLocal(value)}
      onBlur={({ target }) => {
        const moment = target.value === '' ? '' : new Date(target.value).toISOString();
        if (moment !== (value ?? '')) onFilter(moment);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
      }}
    />
  );
}

/** As the field writes it, to the minute. */
function toLocal(iso: string): string {
  const time = new Date(iso);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
