import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useMessages } from '../../language/language';
import { MarkedText } from '../../ui/marked-text';
import { CitationLine } from './citation-line';
import { HitText } from './hit-text';
import styles from './hits.module.css';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import type { SearchHit } from './use-search';

interface HitCardProps {
  hit: SearchHit;
  rank: number;
  /** Of another hit of the same search. */
  rankOf: (id: string) => number;
  /** How its rank differs from that of another search. */
  move?: ReactNode;
  /** What can be done with it. */
  action?: ReactNode;
}

/** A chunk that was found: where it is from, its score, and its text with the searched words marked. */
export function HitCard({ hit, rank, rankOf, move, action }: HitCardProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { contentComplement, complementMarks, documentId, documentName } = hit;
  const permalink = { params: { documentId }, search: { chunk: hit.id } };
  return (
    <li className={styles.hit}>
      <header className={styles.hitHead}>
        <span className={styles.rank}>{rank}</span>
        <h2 className={styles.hitName}>
          <Link to="/documents/$documentId" {...permalink}>
            {documentName || documentId}
          </Link>
        </h2>
        {move}
        <span className={styles.score}>
          {t.score} <strong>{format.score(hit.score)}</strong>
        </span>
        <meter className={styles.meter} aria-label={t.score} min={0} max={1} value={hit.score} />
      </header>
      <ScoreParts parts={hit} />
      {contentComplement && (
        <p className={styles.complement}>
          <MarkedText text={contentComplement} marks={complementMarks} />
        </p>
      )}
      <HitText hit={hit} rankOf={rankOf} />
      <CitationLine hit={hit} />
      <footer className={styles.hitFoot}>
        <span>{hit.datasetIds.join(', ')}</span>
        <code>{hit.id}</code>
        <span className={styles.hitActions}>
          <Link to="/documents/$documentId" {...permalink}>
            {t.citation.permalink}
          </Link>
          {action}
        </span>
      </footer>
    </li>
  );
}
