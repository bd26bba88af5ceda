import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Eye, EyeOff, Highlighter, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { hasLines, isMarkdown } from '../../../common/documents/format/is-markdown';
import { documentMessages } from '../../../common/documents/messages';
import { useEngineName } from '../../../common/documents/readers';
import { useFormat, useMessages } from '../../../language/language';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { CopyIdButton } from '../../../ui/copy-id';
import { useMarkdown } from '../../../ui/markdown/use-markdown';
import { MarkedText } from '../../../ui/marked-text';
import styles from '../document.module.css';
import { messages } from '../messages';
import { isRealMove } from '../source/is-real-move';
import { type OneDocument, refOf, useRefreshDocument } from '../use-document';
import { occurrencesOf } from './occurrences';
import { type Chunk, keywordsOf } from './use-chunks';

const route = getRouteApi('/documents/$documentId');

/** Longer texts are cut until they are asked for. */
const LONG_TEXT = 700;

interface ChunkCardProps {
  document: OneDocument;
  chunk: Chunk;
  /** Whether the address names it. */
  isOpened: boolean;
  isLit: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onLight: (chunkId: string | undefined) => void;
  onShow: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** A chunk with its text and keywords; under the pointer or the focus it is lit up, as it is in the source. */
export function ChunkCard(props: ChunkCardProps) {
  const { document, chunk, isOpened, isLit, isChosen } = props;
  const t = useMessages(messages);
  const { readBy } = useMessages(documentMessages);
  const engineName = useEngineName();
  const { count } = useFormat();
  const { Rendered } = useMarkdown();
  const { text: filter } = route.useSearch();
  const refresh = useRefreshDocument();
  const ref = useRef<HTMLLIElement>(null);
  const [isWhole, setWhole] = useState(false);
  const setStatus = useMutation(trpc.chunks.setStatus.mutationOptions({ onSettled: refresh }));
  useEffect(() => {
    if (isOpened) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);
  const name = t.chunk.name(count(chunk.ordinal + 1));
  // What was found may stand anywhere.
  const isLong = filter === undefined && chunk.content.length > LONG_TEXT;
  const text = isLong && !isWhole ? `${chunk.content.slice(0, LONG_TEXT).trimEnd()} …` : chunk.content;
  const isActive = chunk.status === 'active';
  return (
    <li
      ref={ref}
      className={styles.chunk}
      aria-current={isOpened || undefined}
      data-lit={isLit || undefined}
      data-inactive={!isActive || undefined}
      // Not where the page moves under a pointer that rests, such as when it is opened at a chunk.
      onPointerMove={() => isRealMove() && props.onLight(chunk.id)}
      onPointerLeave={() => isLit && props.onLight(undefined)}
      onFocus={() => props.onLight(chunk.id)}
      onBlur={() => props.onLight(undefined)}
    >
      <header className={styles.chunkHead}>
        <input
          type="checkbox"
          aria-label={t.chunk.choose(name)}
          checked={isChosen}
          onChange={(event) => props.onChoose(event.target.checked)}
        />
        <h2>{name}</h2>
        <span className={styles.soft}>{t.chunk.page(count(chunk.metadata.page_number))}</span>
        {chunk.metadata.extracted_by !== undefined && (
          <span className={styles.soft}>{readBy.of(engineName(chunk.metadata.extracted_by))}</span>
        )}
        {!isActive && <Badge tone="neutral">{t.chunkStatuses.inactive}</Badge>}
        {chunk.edited && <Badge tone="busy">{t.chunk.edited}</Badge>}
      </header>
      {chunk.contentComplement && <p className={styles.context}>{chunk.contentComplement}</p>}
      {filter !== undefined ? (
        // Marked as it was found: rendered, it has other places.
        <p className={styles.text}>
          <MarkedText text={text} marks={occurrencesOf(filter, text)} />
        </p>
      ) : Rendered && isMarkdown(document) ? (
        <div className={styles.rendered}>
          <Rendered text={text} level={3} breaks={hasLines(document)} />
        </div>
      ) : (
        <p className={styles.text}>{text}</p>
      )}
      {isLong && (
        <Button kind="quiet" size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t.chunk.less : t.chunk.more}
        </Button>
      )}
      <ul className={styles.keywords} aria-label={t.chunk.keywords}>
        {keywordsOf(chunk).map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      {setStatus.error && <CallError error={setStatus.error} />}
      <footer className={styles.chunkFoot}>
        <Button size="small" aria-label={t.chunk.editOf(name)} onClick={props.onEdit}>
          <Pencil />
          {t.chunk.edit}
        </Button>
        <Button
          size="small"
          disabled={setStatus.isPending}
          aria-label={isActive ? t.chunk.deactivateOf(name) : t.chunk.activateOf(name)}
          onClick={() =>
            setStatus.mutate({
              ...refOf(document),
              chunkId: chunk.id,
              status: isActive ? 'inactive' : 'active',
            })
          }
        >
          {isActive ? <EyeOff /> : <Eye />}
          {isActive ? t.chunk.deactivate : t.chunk.activate}
        </Button>
        <Button
          kind="quiet"
          size="icon"
          aria-label={t.chunk.showOf(name)}
          title={t.chunk.show}
          onClick={props.onShow}
        >
          <Highlighter />
        </Button>
        <CopyIdButton id={chunk.id} of={name} />
        <Button
          kind="quiet"
          size="icon"
          aria-label={t.chunk.deleteOf(name)}
          title={t.delete}
          onClick={props.onDelete}
        >
          <Trash2 />
        </Button>
      </footer>
    </li>
  );
}
