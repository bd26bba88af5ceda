import { skipToken, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { messages } from './messages';
import { plainExcerpt } from './plain-excerpt';
import styles from './search.module.css';
import type { Expected } from './use-expected';
import type { SearchInput } from './use-search';

export type ChosenChunk = Omit<Expected, 'grade'>;

const LISTED = 100;
const EXCERPT = 80;

interface ChooseChunkProps {
  scope: SearchInput['scope'];
  onChoose: (chunk: ChosenChunk | undefined) => void;
}

/** Chooses one of the first chunks of one of the newest documents. */
export function ChooseChunk({ scope, onChoose }: ChooseChunkProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const [documentId, setDocumentId] = useState('');
  const [chunkId, setChunkId] = useState('');
  const documents = useQuery(trpc.documents.list.queryOptions({ scope, page: 1, pageSize: LISTED }));
  const chunks = useQuery(
    trpc.chunks.list.queryOptions(documentId ? { scope, documentId, page: 1, pageSize: LISTED } : skipToken),
  );
  const nameOf = (id: string) => {
    const { documentName, title, url } = documents.data?.items.find((one) => one.id === id) ?? {};
    return documentName ?? title ?? url ?? id;
  };
  const choose = (id: string) => {
    setChunkId(id);
    const excerpt = chunks.data?.items.find((one) => one.id === id)?.content ?? '';
    onChoose(id ? { documentId, chunkId: id, name: nameOf(documentId), excerpt } : undefined);
  };
  const failure = documents.error ?? chunks.error;
  return (
    <>
      <div className={styles.choices}>
        <Select
          label={t.why.document}
          value={documentId}
          options={[
            { value: '', text: t.why.choose },
            ...(documents.data?.items ?? []).map(({ id }) => ({ value: id, text: nameOf(id) })),
          ]}
          onChange={(event) => {
            choose('');
            setDocumentId(event.target.value);
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
              text: format.named(String(place + 1), plainExcerpt(content).text.slice(0, EXCERPT)),
            })),
          ]}
          onChange={(event) => choose(event.target.value)}
        />
      </div>
      <p className={styles.terms}>{t.why.firstHundred}</p>
      {failure && <CallError error={failure} />}
    </>
  );
}

/** Takes any chunk by its id. */
export function NameChunk({ onChoose }: Pick<ChooseChunkProps, 'onChoose'>) {
  const t = useMessages(messages);
  const [documentId, setDocumentId] = useState('');
  const [chunkId, setChunkId] = useState('');
  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    const [document, chunk] = [documentId.trim(), chunkId.trim()];
    onChoose({ documentId: document, chunkId: chunk, name: document, excerpt: chunk });
  };
  return (
    <form className={styles.choices} onSubmit={ask}>
      <TextField
        label={t.why.documentId}
        value={documentId}
        required
        spellCheck={false}
        onChange={(event) => setDocumentId(event.target.value)}
      />
      <TextField
        label={t.why.chunkId}
        value={chunkId}
        required
        spellCheck={false}
        onChange={(event) => setChunkId(event.target.value)}
      />
      <Button type="submit" className={styles.choiceButton}>
        {t.ask}
      </Button>
    </form>
  );
}
