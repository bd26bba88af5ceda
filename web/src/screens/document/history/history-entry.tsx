import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../../api/trpc';
import { useFormat, useMessages } from '../../../language/language';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { OneDocument } from '../use-document';

type Event = Outputs['documents']['history']['items'][number];

/** One change: when, who, what, and the fields before and after. */
export function HistoryEntry({ event, document }: { event: Event; document: OneDocument }) {
  const t = useMessages(messages);
  const { time } = useFormat();
  const { action, before, after, subjectType, subjectId } = event;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) =>
    before === null || after === null ? (after ?? before)?.[name] != null : true,
  );
  const actions: Record<string, string> = t.history.actions;
  const fields: Record<string, string> = t.history.fields;
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
          {whoOf(event) ?? t.history.unknown} · <time dateTime={event.time}>{time(event.time)}</time>
        </span>
      </header>
      {names.length > 0 && (
        <dl className={styles.changes}>
          {names.map((name) => (
            <div key={name}>
              <dt>{fields[name] ?? name}</dt>
              <dd>
                {before && <del>{textOf(before[name], t.history.none)}</del>}
                {before && after && <span aria-hidden="true"> → </span>}
                {after && <ins>{textOf(after[name], t.history.none)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

const whoOf = ({ userId, keyId }: Event) => userId ?? keyId;

function textOf(value: unknown, none: string): string {
  if (value === null || value === undefined || value === '') return none;
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : none;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
