import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Person } from '../../../ui/person';
import { Time } from '../../../ui/time';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { OneDocument } from '../use-document';

type Event = Outputs['documents']['history']['items'][number];

/** Fields whose values are of a fixed set. */
const NAMED = new Set(['status', 'source', 'documentType', 'extraction']);

/** One change: when, who, what, and the fields before and after. */
export function HistoryEntry({ event, document }: { event: Event; document: OneDocument }) {
  const t = useMessages(messages);
  const { action, subjectType, subjectId, keyId, userId, userName, userIssuer } = event;
  const actions: Record<string, string> = t.history.actions;
  return (
    <li className={styles.event}>
      <header>
        <h2>{actions[action] ?? action}</h2>
        {subjectType === 'chunk' && (
          <Link
            to="/documents/$documentId"
            params={{ documentId: document.id }}
            search={({ tenant, unit }) => ({ tenant, unit, chunk: subjectId })}
          >
            {t.history.toChunk}
          </Link>
        )}
        <span className={styles.who}>
          {userId ? (
            <Person userId={userId} name={userName} issuer={userIssuer} />
          ) : keyId ? (
            t.history.key(keyId)
          ) : (
            t.history.unknown
          )}{' '}
          · <Time iso={event.time} />
        </span>
      </header>
      <Changes {...event} />
    </li>
  );
}

/** The fields that changed, as they were and as they became. */
function Changes({ before, after }: Pick<Event, 'before' | 'after'>) {
  const t = useMessages(messages);
  const fields: Record<string, string> = t.history.fields;
  const names = Object.keys({ ...before, ...after }).filter(
    // The revision says no more than the action does.
    (name) => name !== 'revision' && !(isNothing(before?.[name]) && isNothing(after?.[name])),
  );
  if (names.length === 0) return null;
  const show = (name: string, value: unknown) =>
    (NAMED.has(name) && (t.history.values as Record<string, string>)[String(value)]) ||
    describe(value, t.history.values);
  return (
    <dl className={styles.changes}>
      {names.map((name) => (
        <div key={name}>
          <dt>{fields[name] ?? name}</dt>
          {before && after ? (
            <dd>
              <del>{show(name, before[name])}</del>
              <span aria-hidden="true"> → </span>
              <ins>{show(name, after[name])}</ins>
            </dd>
          ) : (
            <dd>{show(name, (after ?? before)?.[name])}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A value as people read it. */
function describe(value: unknown, names: { nothing: string; yes: string; no: string }): string {
  if (isNothing(value)) return names.nothing;
  if (typeof value === 'boolean') return value ? names.yes : names.no;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
