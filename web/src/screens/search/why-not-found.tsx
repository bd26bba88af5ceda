import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { type Outputs, trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { messages } from './messages';
import { ScoreParts } from './score-parts';
import styles from './search.module.css';
import { DEFAULT_TOP_K } from './search-params';
import type { Expected } from './use-expected';
import type { SearchInput } from './use-search';

type Explanation = Outputs['search']['explain'];

const LISTED = 100;
const EXCERPT = 80;

interface WhyNotFoundProps {
  input: SearchInput;
  /** Adds the chunk to those that the question should find; undefined where that is not permitted. */
  onExpect: ((chunk: Omit<Expected, 'grade'>) => void) | undefined;
}

/** Chooses a chunk, and tells why it is or is not among the hits of a search. */
export function WhyNotFound({ input, onExpect }: WhyNotFoundProps) {
  const t = useMessages(messages);
  const { scope } = input;
  const [documentId, setDocumentId] = useState('');
  const [chunkId, setChunkId] = useState('');
  const documents = useQuery(trpc.documents.list.queryOptions({ scope, page: 1, pageSize: LISTED }));
  const chunks = useQuery(
    trpc.chunks.list.queryOptions(documentId ? { scope, documentId, page: 1, pageSize: LISTED } : skipToken),
  );
  const explanation = useQuery(
    trpc.search.explain.queryOptions(chunkId ? { ...input, chunk: { documentId, chunkId } } : skipToken, {
      refetchOnWindowFocus: false,
    }),
  );
  const nameOf = (id: string) => {
    const { documentName, title, url } = documents.data?.items.find((one) => one.id === id) ?? {};
    return documentName ?? title ?? url ?? id;
  };
  const textOf = (id: string) => chunks.data?.items.find((one) => one.id === id)?.content ?? '';
  const failure = documents.error ?? chunks.error ?? explanation.error;
  return (
    <section className={styles.whyBox} aria-label={t.why.title}>
      <h2>{t.why.title}</h2>
      <div className={styles.choices}>
        <Select
          label={t.why.document}
          value={documentId}
          options={[
            { value: '', text: t.why.choose },
            ...(documents.data?.items ?? []).map(({ id }) => ({ value: id, text: nameOf(id) })),
          ]}
          onChange={(event) => {
            setDocumentId(event.target.value);
            setChunkId('');
          }}
        />
        <Select
          label={t.why.chunk}
          value={chunkId}
          disabled={!chunks.data}
          options={[
            { value: '', text: t.why.choose },
            ...(chunks.data?.items ?? []).map(({ id, content }, place) => ({
              value: id,
              text: `${place + 1}: ${content.slice(0, EXCERPT)}`,
            })),
          ]}
          onChange={(event) => setChunkId(event.target.value)}
        />
      </div>
      <p className={styles.terms}>{t.why.firstHundred}</p>
      {failure && <CallError error={failure} />}
      {explanation.data?.chunk && (
        <ChunkExplanation chunk={explanation.data.chunk} asked={input.topK ?? DEFAULT_TOP_K} />
      )}
      {chunkId && onExpect && (
        <div>
          <Button
            size="small"
            onClick={() =>
              onExpect({ documentId, chunkId, name: nameOf(documentId), excerpt: textOf(chunkId) })
            }
          >
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
  const { rank, score, held, missed, reasons } = chunk;
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
      {reasons.length > 0 && (
        <>
          <p>{t.why.reasons}</p>
          <ul className={styles.reasons} lang="en">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Terms({ terms }: { terms: string[] }) {
  const t = useMessages(messages);
  if (terms.length === 0) return t.why.none;
  return terms.map((term) => (
    <code key={term} className={styles.term}>
      {term}
    </code>
  ));
}
