import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useMessages } from '../../language/language';
import { MarkedText } from '../../ui/marked-text';
import { Popover } from '../../ui/popover';
import { Citation, CitationDetails } from './citation-line';
import { HitText } from './hit-text';
import styles from './hits.module.css';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import type { SearchHit } from './use-search';

interface HitCardProps {
  hit: SearchHit;
  rank: number;
  /** Whether words alone made its score. */
  isByWords: boolean;
  /** Of another hit of the same search. */
  rankOf: (id: string) => number;
  /** How its rank differs from that of another search. */
  move?: ReactNode;
  /** What can be done with it. */
  action?: ReactNode;
}

/** A chunk that was found: where it is from, its score, and its text with the searched words marked. */
export function HitCard({ hit, rank, isByWords, rankOf, move, action }: HitCardProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { contentComplement, complementMarks, documentId, documentName } = hit;
  const permalink = { params: { documentId }, search: { chunk: hit.id } };
  const score = (
    <>
      {t.score} <strong>{format.score(hit.score)}</strong>
    </>
  );
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
        {isByWords ? (
          <Popover
            kind="quiet"
            size="small"
            className={styles.score}
            title={t.score}
            content={() => <p className={styles.explanation}>{t.byWords}</p>}
          >
            {score}
          </Popover>
        ) : (
          <span className={styles.score}>{score}</span>
        )}
        <meter className={styles.meter} aria-label={t.score} min={0} max={1} value={hit.score} />
      </header>
      <ScoreParts parts={hit} />
      {contentComplement && (
        <p className={styles.complement}>
          <MarkedText text={contentComplement} marks={complementMarks} />
        </p>
      )}
      <HitText hit={hit} rankOf={rankOf} />
      <footer className={styles.hitFoot}>
        <Citation hit={hit} />
        <CitationDetails hit={hit} />
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
