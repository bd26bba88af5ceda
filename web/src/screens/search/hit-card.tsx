import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import styles from './hits.module.css';
import { chooseExcerpt, MarkedText } from './marked-text';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import type { SearchHit } from './use-search';

/** Longer texts are cut until they are asked for. */
const LONG_TEXT = 600;

interface HitCardProps {
  hit: SearchHit;
  rank: number;
  /** How its rank differs from that of another search. */
  move?: ReactNode;
  /** What can be done with it. */
  action?: ReactNode;
}

/** A chunk that was found: where it is from, its score, and its text with the searched words marked. */
export function HitCard({ hit, rank, move, action }: HitCardProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { content, contentComplement, marks, complementMarks, documentId, documentName } = hit;
  const isLong = content.length > LONG_TEXT;
  return (
    <li className={styles.hit}>
      <header className={styles.hitHead}>
        <span className={styles.rank}>{rank}</span>
        <h2 className={styles.hitName}>
          <Link to="/documents/$documentId" params={{ documentId }} search={{ chunk: hit.id }}>
            {documentName || documentId}
          </Link>
        </h2>
        {move}
        <span className={styles.score}>
          {t.score} <strong>{format.score(hit.score)}</strong>
        </span>
      </header>
      <meter className={styles.meter} aria-label={t.score} min={0} max={1} value={hit.score} />
      <ScoreParts parts={hit} />
      {contentComplement && (
        <p className={styles.complement}>
          <MarkedText text={contentComplement} marks={complementMarks} />
        </p>
      )}
      <p className={styles.text}>
        <MarkedText
          text={content}
          marks={marks}
          part={isLong && !isOpen ? chooseExcerpt(content, marks, LONG_TEXT) : undefined}
        />
      </p>
      <footer className={styles.hitFoot}>
        <span>{hit.datasetIds.join(', ')}</span>
        <code>{hit.id}</code>
        <span className={styles.hitActions}>
          {isLong && (
            <Button kind="quiet" size="small" onClick={() => setOpen(!isOpen)}>
              {isOpen ? t.less : t.more}
            </Button>
          )}
          {action}
        </span>
      </footer>
    </li>
  );
}
