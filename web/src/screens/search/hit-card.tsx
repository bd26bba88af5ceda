import { useState } from 'react';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import type { Explanation } from './hits';
import { markWords } from './mark-words';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import styles from './search.module.css';

/** Longer texts are cut until they are asked for. */
const LONG_TEXT = 600;

interface HitCardProps {
  hit: Outputs['chunks']['search'][number];
  rank: number;
  terms: string[];
  parts: Explanation['hits'][number] | undefined;
}

/** A chunk that was found: where it is from, its score, and its text with the searched words marked. */
export function HitCard({ hit, rank, terms, parts }: HitCardProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const isLong = hit.content.length > LONG_TEXT;
  const text = isLong && !isOpen ? `${hit.content.slice(0, LONG_TEXT)} …` : hit.content;
  let at = 0;
  return (
    <li className={styles.hit}>
      <header className={styles.hitHead}>
        <span className={styles.rank}>{rank}</span>
        <h2 className={styles.hitName}>{hit.documentName || hit.documentId}</h2>
        <span className={styles.score}>
          {t.score} <strong>{format.score(hit.score)}</strong>
        </span>
      </header>
      <meter className={styles.meter} aria-label={t.score} min={0} max={1} value={hit.score} />
      {parts && <ScoreParts parts={parts} />}
      <p className={styles.text}>
        {markWords(text, terms).map((piece) => {
          const key = at;
          at += piece.text.length;
          return piece.isMarked ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>;
        })}
      </p>
      <footer className={styles.hitFoot}>
        <span>{hit.datasetIds.join(', ')}</span>
        <code>{hit.id}</code>
        {isLong && (
          <Button kind="quiet" size="small" onClick={() => setOpen(!isOpen)}>
            {isOpen ? t.less : t.more}
          </Button>
        )}
      </footer>
    </li>
  );
}
