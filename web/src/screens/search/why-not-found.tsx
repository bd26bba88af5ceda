import { skipToken, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { type Outputs, trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ChooseChunk, type ChosenChunk, NameChunk } from './choose-chunk';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import styles from './search.module.css';
import { DEFAULT_TOP_K, MAX_TOP_K } from './search-params';
import type { SearchInput } from './use-search';
import { wordOf } from './word-of';

const route = getRouteApi('/search');

type Explanation = Outputs['search']['explain'];
type Cause = NonNullable<Explanation['chunk']>['causes'][number];

/** Of these the server's sentence says more. */
const TOLD = new Set<Cause>(['refused', 'unembeddable']);

interface WhyNotFoundProps {
  input: SearchInput;
  /** Adds the chunk to those that the question should find; undefined where that is not permitted. */
  onExpect: ((chunk: ChosenChunk) => void) | undefined;
}

/** Takes any chunk, and tells why it is or is not among the hits of a search. */
export function WhyNotFound({ input, onExpect }: WhyNotFoundProps) {
  const t = useMessages(messages);
  const mayReadDocuments = usePermission('documents:read');
  const mayReadChunks = usePermission('chunks:read');
  const [isNaming, setNaming] = useState(false);
  const [chosen, setChosen] = useState<ChosenChunk>();
  const explanation = useQuery(
    trpc.search.explain.queryOptions(
      chosen ? { ...input, chunk: { documentId: chosen.documentId, chunkId: chosen.chunkId } } : skipToken,
      { refetchOnWindowFocus: false },
    ),
  );
  const mayList = mayReadDocuments !== false && mayReadChunks !== false;
  return (
    <section className={styles.whyBox} aria-label={t.why.title}>
      <h2>{t.why.title}</h2>
      {mayList && !isNaming ? (
        <ChooseChunk scope={input.scope} onChoose={setChosen} />
      ) : (
        <NameChunk onChoose={setChosen} />
      )}
      {mayList && (
        <div>
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              setNaming(!isNaming);
              setChosen(undefined);
            }}
          >
            {isNaming ? t.why.list : t.why.name}
          </Button>
        </div>
      )}
      {explanation.error && <CallError error={explanation.error} />}
      {explanation.data?.chunk && (
        <ChunkExplanation chunk={explanation.data.chunk} asked={input.topK ?? DEFAULT_TOP_K} />
      )}
      {chosen && explanation.data?.chunk && (
        <p>
          <Link
            to="/documents/$documentId"
            params={{ documentId: chosen.documentId }}
            search={{ chunk: chosen.chunkId }}
          >
            {t.citation.permalink}
          </Link>
        </p>
      )}
      {chosen && explanation.data?.chunk && onExpect && (
        <div>
          <Button size="small" onClick={() => onExpect(chosen)}>
            {t.judge.expect}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ChunkExplanationProps {
  chunk: NonNullable<Explanation['chunk']>;
  /** How many hits were asked for. */
  asked: number;
}

function ChunkExplanation({ chunk, asked }: ChunkExplanationProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const { rank, score, held, missed, reasons, causes } = chunk;
  return (
    <div className={styles.answer} role="status">
      <p>
        <strong>{rank === null ? t.why.below : t.why.rank(rank, asked)}</strong>{' '}
        {score !== null && t.why.score(format.score(score))}
      </p>
      <ScoreParts parts={chunk} />
      <p>
        {t.why.held} <Terms terms={held} />
      </p>
      <p>
        {t.why.missed} <Terms terms={missed} />
      </p>
      {causes.length > 0 && (
        <>
          <p>{t.why.reasons}</p>
          <ul className={styles.reasons}>
            {causes.map((cause, place) => (
              <li key={cause}>
                {t.why.causes[cause]}
                {TOLD.has(cause) && <span lang="en"> {reasons[place]}</span>}
                {cause === 'lowRank' && rank !== null && rank <= MAX_TOP_K && (
                  <>
                    {' '}
                    <Link
                      from="/search"
                      to="/search"
                      search={(now) => ({ ...now, topK: rank })}
                      resetScroll={false}
                    >
                      {t.why.askFor(rank)}
                    </Link>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Terms({ terms }: { terms: string[] }) {
  const t = useMessages(messages);
  const { q = '' } = route.useSearch();
  if (terms.length === 0) return t.why.none;
  return terms.map((term) => (
    <code key={term} className={styles.term} title={term}>
      {wordOf(term, q)}
    </code>
  ));
}
