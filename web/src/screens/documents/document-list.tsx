import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  Fragment,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import type { Column } from './columns';
import { DocumentRow } from './document-row';
import styles from './list.module.css';
import { messages } from './messages';
import type { DocumentsSearch } from './search-params';
import type { Range } from './use-document-pages';
import { useListKeys } from './use-list-keys';
import type { Selection } from './use-selection';

/** Browsers draw no page that is much higher; nobody scrolls so far. */
export const MAX_ROWS = 200_000;
const NARROW = '(max-width: 1000px)';
/** Heights of rows that were not drawn yet. */
const ROW_PX = 41;
const CARD_PX = 70;
const OVERSCAN = 4;
const ALL_COLUMNS = 20;
/** After scrolling, before the position is written into the address. */
const SETTLED_MS = 250;

const WIDTHS: Record<Column, string> = {
  type: '5.8rem',
  datasets: '7rem',
  status: '7.4rem',
  enabled: '4.4rem',
  chunks: '4.4rem',
  size: '5.2rem',
  created: '7.4rem',
  updated: '7.4rem',
  by: '8rem',
};
const NUMBERS = new Set<Column>(['chunks', 'size']);

interface DocumentListProps {
  totalCount: number;
  columns: readonly Column[];
  order: DocumentsSearch['order'];
  documentAt: (row: number) => Document | undefined;
  selection: Selection;
  /** The row to begin with, from 0. */
  initialRow: number;
  /** Called with the rows that are shown. */
  onRange: (range: Range) => void;
  /** Called with the first row on the screen when scrolling has ended. */
  onSettled: (row: number) => void;
  onDelete: (document: Document) => void;
}

/** Documents, a row each, of which only those on the screen and next to it exist; on narrow screens a card each. */
export function DocumentList(props: DocumentListProps) {
  const { totalCount, columns, order, documentAt, selection, initialRow, onRange, onSettled, onDelete } =
    props;
  const t = useMessages(messages);
  const count = Math.min(totalCount, MAX_ROWS);
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useTopOf(body);
  const [focused, setFocused] = useState<number>();
  const estimate = matchMedia(NARROW).matches ? CARD_PX : ROW_PX;
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    // Called for all rows: it must take no time.
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    scrollMargin,
    useFlushSync: false,
    // The row that has the focus keeps it while others are scrolled to.
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      if (focused === undefined || focused >= count || rows.includes(focused)) return rows;
      return [...rows, focused].sort((a, b) => a - b);
    },
  });
  const { startIndex = initialRow, endIndex = initialRow } = virtualizer.range ?? {};

  const begin = useEffectEvent(() => {
    if (initialRow > 0) virtualizer.scrollToIndex(Math.min(initialRow, count - 1), { align: 'start' });
  });
  useLayoutEffect(() => begin(), []);

  const report = useEffectEvent(() => onRange({ first: startIndex, last: endIndex }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is called when they change
  useEffect(() => report(), [startIndex, endIndex]);
  const settle = useEffectEvent(() => onSettled(startIndex));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is called some time after they have changed
  useEffect(() => {
    if (virtualizer.isScrolling) return;
    const timer = setTimeout(() => settle(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [startIndex, virtualizer.isScrolling]);

  const { onKeyDown } = useListKeys({ count, scrollTo: virtualizer.scrollToIndex });
  const select = useRangeSelection(selection, documentAt);
  const items = virtualizer.getVirtualItems();
  let end = scrollMargin;
  return (
    <table
      className={styles.table}
      style={
        { '--columns': columns.map((column) => `minmax(3rem, ${WIDTHS[column]})`).join(' ') } as CSSProperties
      }
      aria-rowcount={count + 1}
      aria-label={t.title}
    >
      <caption className="unseen">{t.listKeys}</caption>
      <thead>
        <tr aria-rowindex={1} className={styles.row}>
          <th scope="col">
            <span className="unseen">{t.select}</span>
          </th>
          <th scope="col" aria-sort={order === 'name' ? 'ascending' : undefined}>
            {t.name}
          </th>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className={NUMBERS.has(column) ? styles.number : undefined}
              aria-sort={order === 'updated' && column === 'updated' ? 'descending' : undefined}
            >
              {t[column]}
            </th>
          ))}
          <th scope="col">
            <span className="unseen">{t.actions}</span>
          </th>
          <th scope="col" className="unseen">
            {t.problem}
          </th>
        </tr>
      </thead>
      <tbody
        ref={body}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocused(rowOf(event.target))}
        onBlur={() => setFocused(undefined)}
      >
        {items.map((item) => {
          const gap = item.start - end;
          end = item.end;
          const document = documentAt(item.index);
          return (
            <Fragment key={item.key}>
              <Gap height={gap} />
              {document ? (
                <DocumentRow
                  document={document}
                  index={item.index}
                  columns={columns}
                  isSelected={selection.selected.has(document.id)}
                  onSelect={select}
                  onDelete={onDelete}
                  measure={virtualizer.measureElement}
                />
              ) : (
                <LoadingRow index={item.index}>{t.loading}</LoadingRow>
              )}
            </Fragment>
          );
        })}
        <Gap height={virtualizer.getTotalSize() + scrollMargin - end} />
      </tbody>
    </table>
  );
}

/** Holds the place of rows that do not exist. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={ALL_COLUMNS} style={{ height }} />
    </tr>
  );
}

function LoadingRow({ index, children }: { index: number; children: ReactNode }) {
  return (
    <tr aria-rowindex={index + 2} className={styles.loadingRow}>
      <td colSpan={ALL_COLUMNS}>{children}</td>
    </tr>
  );
}

const rowOf = (element: Element): number | undefined => {
  const { index } = element.closest<HTMLElement>('[data-index]')?.dataset ?? {};
  return index === undefined ? undefined : Number(index);
};

/** How far an element is from the top of the page, also after something above it has changed its height. */
function useTopOf(ref: { current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const rect = ref.current?.getBoundingClientRect();
      if (rect) setTop(Math.round(rect.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [ref]);
  return top;
}

/** Selects a row, or with Shift all between it and the one before. Always the same function, as rows depend on it. */
function useRangeSelection(selection: Selection, documentAt: (row: number) => Document | undefined) {
  const latest = useRef({ selection, documentAt, anchor: 0 });
  useLayoutEffect(() => {
    Object.assign(latest.current, { selection, documentAt });
  });
  const [select] = useState(() => (row: number, isSelected: boolean, isRange: boolean) => {
    const { anchor } = latest.current;
    const [from, to] = isRange ? [Math.min(anchor, row), Math.max(anchor, row)] : [row, row];
    const rows = Array.from({ length: to - from + 1 }, (_, place) => latest.current.documentAt(from + place));
    latest.current.selection.set(
      rows.flatMap((document) => document ?? []),
      isSelected,
    );
    latest.current.anchor = row;
  });
  return select;
}
