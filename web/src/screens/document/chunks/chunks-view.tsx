import { getRouteApi } from '@tanstack/react-router';
import { ArrowDown, FileText } from 'lucide-react';
import { useRef, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { CsvButton } from '../../../api/csv-button';
import { client } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { EmptyState } from '../../../ui/notice';
import { Pager } from '../../../ui/pager';
import styles from '../document.module.css';
import { messages } from '../messages';
import { SourcePanel } from '../source/source-panel';
import { type OneDocument, refOf } from '../use-document';
import { ChunkFilters } from './chunk-filters';
import { ChunkList } from './chunk-list';
import { type Chunk, toConditions, useChunks } from './use-chunks';

const route = getRouteApi('/documents/$documentId');
const SEEN_PX = 150;
const CSV_FIELDS = [
  'id',
  'ordinal',
  'content',
  'contentComplement',
  'keywords',
  'status',
  'edited',
  'metadata',
  'createdTime',
  'updatedTime',
] as const;

/** The chunks of a document beside the source that they were made of. */
export function ChunksView({ document }: { document: OneDocument }) {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useChunks(document, search);
  /** The chunk under the pointer or the focus, here or in the source. */
  const [pointed, setPointed] = useState<string>();
  /** The one that was asked for, until another is pointed at. */
  const [kept, setKept] = useState(search.chunk);
  const lit = pointed ?? kept;
  const light = (chunkId: string | undefined) => {
    setPointed(chunkId);
    if (chunkId !== undefined && chunkId !== kept) setKept(undefined);
  };
  /** The one that the address named when it was opened. */
  const [linked] = useState(search.chunk);
  /** The one that the source was asked to show. */
  const [wanted, setWanted] = useState<Chunk>();
  const source = useRef<HTMLElement>(null);
  const chunks = list.data?.items ?? [];
  const listed = (chunkId: string | undefined) => chunks.find(({ id }) => id === chunkId);
  const isFiltered = Boolean(search.chunkStatus || search.text || search.edited);
  const clearFilters = () =>
    navigate({
      search: ({ tenant, unit }) => ({ tenant, unit }),
    });
  /** Shows a chunk in the list: on this page of it, or on its own. */
  const open = (chunkId: string) => {
    setPointed(undefined);
    setKept(chunkId);
    const isListed = listed(chunkId) !== undefined;
    void navigate({
      search: ({ tenant, unit, ...now }) => ({ tenant, unit, ...(isListed && now), chunk: chunkId }),
      replace: isListed,
      resetScroll: false,
    });
  };
  return (
    <div className={styles.columns}>
      <SourcePanel
        ref={source}
        document={document}
        chunks={chunks}
        anchor={listed(wanted?.id) ?? listed(linked) ?? chunks[0]}
        lit={lit}
        onLight={light}
        onOpen={open}
      />
      <section className={styles.list} aria-label={t.views.chunks}>
        <Button
          kind="quiet"
          size="small"
          className={styles.toSource ?? ''}
          onClick={() => source.current?.scrollIntoView()}
        >
          <ArrowDown />
          {t.source.title}
        </Button>
        <ChunkFilters />
        {list.error && <CallError error={list.error} onRetry={list.refetch} />}
        {list.isPending && <p className={styles.soft}>{t.loading}</p>}
        {list.data && chunks.length > 0 && (
          <>
            <ChunkList
              document={document}
              chunks={chunks}
              opened={search.chunk}
              lit={lit}
              onLight={light}
              onShow={(chunk) => {
                setWanted(chunk);
                setPointed(undefined);
                setKept(chunk.id);
                // On narrow screens it is below the list. Elsewhere the page stays, as the pointer is on it.
                if (!isSeen(source.current)) source.current?.scrollIntoView({ block: 'nearest' });
              }}
            />
            <Pager
              list={list.data}
              onPage={(page) =>
                navigate({
                  search: (now) => ({ ...now, page: page > 1 ? page : undefined, chunk: undefined }),
                })
              }
            >
              <CsvButton
                name="chunks"
                fields={CSV_FIELDS}
                readPage={(page, pageSize) =>
                  client.chunks.list.query({
                    ...refOf(document),
                    ...toConditions(search),
                    page,
                    pageSize,
                  })
                }
              />
            </Pager>
          </>
        )}
        {list.data &&
          chunks.length === 0 &&
          (isFiltered ? (
            <EmptyState Icon={FileText} title={t.empty.filtered}>
              <Button onClick={clearFilters}>{t.empty.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState Icon={FileText} title={t.empty.title}>
              <p>{t.empty[document.status]}</p>
            </EmptyState>
          ))}
      </section>
    </div>
  );
}

/** Whether a part of an element that shows something is in the window. */
function isSeen(element: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return Math.min(bottom, window.innerHeight) - Math.max(top, 0) > SEEN_PX;
}
