import { useState } from 'react';
import { CallError } from '../../api/call-error';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState, Notice } from '../../ui/notice';
import { curlCommand } from './curl-command';
import { HitCard } from './hit-card';
import { messages } from './messages';
import styles from './search.module.css';
import type { SearchInput } from './use-search';

export type Explanation = Outputs['search']['explain'];

const COPIED_MS = 2_000;

interface HitsProps {
  input: SearchInput;
  hits: Outputs['chunks']['search'];
  /** Undefined until it is there, or where it is not permitted. */
  explanation: Explanation | undefined;
  failure: unknown;
}

/** What was found, best first, and what the scores are made of. */
export function Hits({ input, hits, explanation, failure }: HitsProps) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(curlCommand(window.location.origin, input));
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  const terms = explanation?.terms.map(({ term }) => term) ?? input.query.split(/\s+/);
  return (
    <>
      <div className={styles.summary}>
        <span>
          {explanation
            ? t.summary(hits.length, explanation.engine, t.modes[explanation.mode])
            : t.count(hits.length)}
        </span>
        <Button size="small" onClick={copy}>
          {isCopied ? t.copied : t.copy}
        </Button>
      </div>
      {explanation && explanation.terms.length > 0 && (
        <p className={styles.terms}>
          {t.terms}{' '}
          {explanation.terms.map(({ term, chunks }) => (
            <span key={term}>
              <code>{term}</code> {count(chunks)}
            </span>
          ))}
        </p>
      )}
      {explanation?.truncated && <Notice>{t.truncated}</Notice>}
      {failure !== null && failure !== undefined && (
        <div>
          <p className={styles.terms}>{t.unexplained}</p>
          <CallError error={failure} />
        </div>
      )}
      {hits.length === 0 && (
        <EmptyState title={t.nothing.title}>
          <p>{t.nothing.text}</p>
        </EmptyState>
      )}
      <ol className={styles.hits}>
        {hits.map((hit, place) => (
          <HitCard
            key={hit.id}
            hit={hit}
            rank={place + 1}
            terms={terms}
            parts={explanation?.hits.find(({ chunkId }) => chunkId === hit.id)}
          />
        ))}
      </ol>
    </>
  );
}
