import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useId, useState } from 'react';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import { actions } from './actions';
import styles from './audit.module.css';
import { messages } from './messages';
import { type AuditSearch, readAuditSearch } from './search-params';
import { useKeyNames } from './use-key-names';

const route = getRouteApi('/audit');

/** Filters of the log, which are part of the address. */
export function AuditFilters() {
  const t = useMessages(messages);
  const { key, user, action, subject, since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const keyNames = useKeyNames();
  const filter = (changed: { [Name in keyof AuditSearch]: string }) =>
    navigate({ search: (now) => ({ ...now, ...readAuditSearch({ ...now, ...changed }), page: undefined }) });
  const offers = [...keyNames].map(([value, text]) => ({ value, text }));
  return (
    <section className={styles.filters} aria-label={t.filters}>
      <Filter
        label={t.action}
        value={action}
        offers={actions.map((value) => ({ value, text: value }))}
        onFilter={(value) => filter({ action: value })}
      />
      <Filter label={t.subject} value={subject} onFilter={(value) => filter({ subject: value })} />
      <Filter label={t.key} value={key} offers={offers} onFilter={(value) => filter({ key: value })} />
      <Filter label={t.user} value={user} onFilter={(value) => filter({ user: value })} />
      <TimeFilter label={t.since} value={since} onFilter={(value) => filter({ since: value })} />
      <TimeFilter label={t.until} value={until} onFilter={(value) => filter({ until: value })} />
    </section>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  onFilter: (value: string) => void;
}

interface Offer {
  value: string;
  text: string;
}

/** Filters by a text: one that is offered, or another. */
function Filter({ label, value = '', offers = [], onFilter }: FilterProps & { offers?: readonly Offer[] }) {
  const t = useMessages(messages);
  const listId = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const filter = (typed: string) => {
    if (typed.trim() !== value) onFilter(typed.trim());
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    filter(text);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label={label}
        list={listId}
        value={text}
        placeholder={t.any}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target: { value: typed } }) => {
          setText(typed);
          // One that is chosen from the list counts at once, as does a field that is emptied.
          if (typed === '' || offers.some((offer) => offer.value === typed)) filter(typed);
        }}
        onBlur={() => filter(text)}
      />
      <datalist id={listId}>
        {offers.map((offer) => (
          <option key={offer.value} value={offer.value}>
            {offer.text}
          </option>
        ))}
      </datalist>
    </form>
  );
}

/** Filters by a moment, in the time of the browser. */
function TimeFilter({ label, value, onFilter }: FilterProps) {
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
