import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useMessages } from '../../language/language';
import { EmptyState, Notice } from '../../ui/notice';
import { HitCard } from './hit-card';
import hitStyles from './hits.module.css';
import { messages } from './messages';
import styles from './search.module.css';
import type { SearchHit, SearchResult } from './use-search';
import { wordOf } from './word-of';

const route = getRouteApi('/search');

/** How many hits there are, who found them, and the words that were searched. */
export function ResultSummary({ result }: { result: SearchResult }) {
  const t = useMessages(messages);
  const { count, score, named } = useFormat();
  const { q = '' } = route.useSearch();
  const { hits, engine, mode, durationMs, reranked, terms, truncated, asked, didYouMean, synonyms } = result;
  const facts = [
    t.count(hits.length),
    engine,
    t.modes[mode],
    reranked && t.reranked,
    t.duration(durationMs < 10 ? score(durationMs).slice(0, 3) : count(Math.round(durationMs))),
  ];
  return (
    <div className={styles.summary}>
      <p role="status">{facts.filter(Boolean).join(' · ')}</p>
      {terms.length > 0 && (
        <p className={styles.terms}>
          {t.terms}{' '}
          {terms.map(({ term, chunks }) => (
            <span key={term}>
              <code title={term}>{wordOf(term, q)}</code> {count(chunks)}
            </span>
          ))}
        </p>
      )}
      {asked && asked !== mode && <Notice>{t.otherMode(t.modes[asked], t.modes[mode])}</Notice>}
      {didYouMean && (
        <p>
          {t.didYouMean}{' '}
          <Link from="/search" to="/search" search={(now) => ({ ...now, q: didYouMean })}>
            {didYouMean}
          </Link>
        </p>
      )}
      {synonyms.length > 0 && (
        <p className={styles.terms}>
          {t.synonyms.searched}{' '}
          {synonyms.map(({ word, instead }) => (
            <span key={word}>{named(word, instead.join(', '))}</span>
          ))}
        </p>
      )}
      {truncated && <Notice>{t.truncated}</Notice>}
      {hits.length === 0 && (
        <EmptyState title={t.nothing.title}>
          <p>{t.nothing.text}</p>
        </EmptyState>
      )}
    </div>
  );
}

interface HitListProps {
  result: SearchResult;
  label: string;
  moveOf?: (hit: SearchHit, rank: number) => ReactNode;
  actionOf: (hit: SearchHit) => ReactNode;
}

/** What was found, best first. */
export function HitList({ result: { hits, mode, reranked }, label, moveOf, actionOf }: HitListProps) {
  return (
    <ol className={hitStyles.hits} aria-label={label}>
      {hits.map((hit, place) => (
        <HitCard
          key={hit.id}
          hit={hit}
          rank={place + 1}
          isByWords={mode === 'lexical' && !reranked}
          rankOf={(id) => hits.findIndex((one) => one.id === id) + 1}
          move={moveOf?.(hit, place + 1)}
          action={actionOf(hit)}
        />
      ))}
    </ol>
  );
}
