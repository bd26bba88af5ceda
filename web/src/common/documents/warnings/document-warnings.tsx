import { useId } from 'react';
import type { Outputs } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import styles from './document-warnings.module.css';
import { messages } from './messages';

type Warnings = Outputs['documents']['getMany'][number]['warnings'];
type Warning = Warnings[number];

/** What the chunks lack of the source: where, and what to do about it. Nothing where they lack nothing. */
export function DocumentWarnings({ warnings, title }: { warnings: Warnings; title: string }) {
  const t = useMessages(messages);
  const id = useId();
  if (warnings.length === 0) return null;
  return (
    <section className={styles.warnings} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.code} ${warning.file}`}>
            <p>
              <strong>{t.losses[warning.code].what}</strong>
              {warning.file !== null && ` ${t.inFile(warning.file)}`}
            </p>
            <Places warning={warning} />
            <p className={styles.advice}>{t.losses[warning.code].advice}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Places({ warning: { pages, pageCount, names, nameCount } }: { warning: Warning }) {
  const t = useMessages(messages);
  const shown = pages.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const ranges = pages.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  return (
    <>
      {pageCount > 0 && <p>{t.pages(pageCount, ranges, pageCount - shown)}</p>}
      {nameCount > 0 && <p>{t.names(nameCount, names, nameCount - names.length)}</p>}
    </>
  );
}
