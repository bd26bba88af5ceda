import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { alone, trpc } from '../../../api/trpc';
import { isMarkdown } from '../../../common/documents/format/is-markdown';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { useMarkdown } from '../../../ui/markdown/use-markdown';
import { ScrollBox } from '../../../ui/scroll-box';
import styles from '../document.module.css';
import { messages } from '../messages';
import { refOf } from '../use-document';
import { JoinedChunks } from './joined-chunks';
import { LitText } from './lit-text';
import { scrollToLit } from './scroll-to-lit';
import { toSegments } from './segments';
import type { SourceProps } from './source-props';

/** Enough for the chunks of a page of the list, where pages are short, too. */
const PAGES = 10;
/** The server waits, too, until it says that it is still at it. */
const REFETCH_MS = 1_000;

/** Pages of the source's text, from the one that the chunks beside it begin on. */
export function SourceText(props: SourceProps) {
  const { document, anchor, lit, onLight, onOpen } = props;
  const t = useMessages(messages);
  const { count } = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const markdown = useMarkdown();
  const isReady = markdown.isReady || !isMarkdown(document);
  const [turned, setTurned] = useState<{ page: number; from: string | undefined }>();
  // Turned by hand, until other chunks are listed.
  const page = turned && turned.from === anchor?.id ? turned.page : undefined;
  const place = page === undefined ? { around: anchor?.ordinal ?? 0 } : { page };
  const source = useQuery(
    trpc.documents.sourceText.queryOptions(
      { ...refOf(document), ...place, pages: PAGES },
      {
        placeholderData: keepPreviousData,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: ({ state }) => (state.data?.unavailable === 'being_read' ? REFETCH_MS : false),
        trpc: { context: alone },
      },
    ),
  );
  const pages = useMemo(
    () => source.data?.pages.map((shown) => ({ ...shown, segments: toSegments(shown) })),
    [source.data],
  );
  useEffect(() => {
    if (isReady && pages && lit !== undefined) scrollToLit(scroller.current);
  }, [isReady, lit, pages]);

  if (source.error) return <CallError error={source.error} onRetry={source.refetch} />;
  if (!source.data || !pages || !isReady) return <p className={styles.soft}>{t.source.reading}</p>;
  if (source.data.unavailable === 'being_read') return <p role="status">{t.source.stillReading}</p>;
  if (source.data.unavailable) return <JoinedChunks {...props} reason={source.data.unavailable} />;
  const first = pages[0]?.page ?? 1;
  const last = pages.at(-1)?.page ?? 1;
  const { pageCount } = source.data;
  const turn = (to: number) => {
    setTurned({ page: Math.max(1, to), from: anchor?.id });
    scroller.current?.scrollTo({ top: 0 });
  };
  return (
    <>
      <ScrollBox
        ref={scroller}
        label={t.source.pages}
        className={styles.pages}
        isWaiting={source.isPlaceholderData}
      >
        {pages.map((shown) => (
          <article key={shown.page} className={styles.page}>
            <h3>{t.source.page(count(shown.number))}</h3>
            {shown.text === '' ? (
              <p className={styles.soft}>{t.source.blank}</p>
            ) : (
              <LitText
                document={document}
                segments={shown.segments}
                lit={lit}
                onLight={onLight}
                onOpen={onOpen}
              />
            )}
          </article>
        ))}
      </ScrollBox>
      {pageCount > pages.length && (
        <nav className={styles.turn} aria-label={t.source.turn}>
          <Button size="small" disabled={first <= 1} onClick={() => turn(first - PAGES)}>
            {t.source.previous}
          </Button>
          <span>{t.source.range(count(first), count(last), count(pageCount))}</span>
          <Button size="small" disabled={last >= pageCount} onClick={() => turn(last + 1)}>
            {t.source.next}
          </Button>
        </nav>
      )}
    </>
  );
}
