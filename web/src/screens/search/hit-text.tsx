import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { hasLines, isMarkdown } from '../../common/documents/format/is-markdown';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { useMarkdown } from '../../ui/markdown/use-markdown';
import { MarkedText } from '../../ui/marked-text';
import styles from './hits.module.css';
import { messages } from './messages';
import type { SearchHit } from './use-search';

interface HitTextProps {
  hit: SearchHit;
  /** Of another hit of this search. */
  rankOf: (id: string) => number;
}

/**
 * The text of a hit with the searched words marked, among its neighbours if they were asked for. A high one is cut around its first
 * mark until all of it is asked for.
 */
export function HitText({ hit, rankOf }: HitTextProps) {
  const t = useMessages(messages);
  const { Rendered } = useMarkdown();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const { content, marks, context } = hit;
  const isWhole = Boolean(context?.text);
  const text = context?.text || content;
  const [start, end] = context && isWhole ? [context.start, context.end] : [0, content.length];
  const renderText = useCallback(
    (piece: string, at: number) => {
      // One that is not in the source as it is has no place there, and so no marks.
      if (!text.startsWith(piece, at)) return piece;
      const own = piece.slice(Math.max(0, start - at), Math.max(0, end - at));
      const before = piece.slice(0, Math.max(0, start - at));
      const after = piece.slice(before.length + own.length);
      return (
        <>
          {before && <span className={styles.around}>{before}</span>}
          {own && <MarkedText text={own} marks={marks} start={Math.max(0, at - start)} />}
          {after && <span className={styles.around}>{after}</span>}
        </>
      );
    },
    [text, start, end, marks],
  );
  const isRendered = Rendered && isMarkdown(hit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes its height
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || isOpen) return;
    setLong(current.scrollHeight > current.clientHeight);
    const mark = current.querySelector('mark');
    if (!mark) return;
    const below = mark.getBoundingClientRect().bottom - current.getBoundingClientRect().bottom;
    // What is in view at first stays as it begins.
    if (below > 0) current.scrollTop += below + current.clientHeight / 2;
  }, [isOpen, isRendered, renderText]);
  const isCut = !isOpen && !isWhole;
  return (
    <>
      <div
        ref={box}
        className={isCut ? `${styles.body} ${styles.cut}` : styles.body}
        data-long={(isCut && isLong) || undefined}
      >
        {isRendered ? (
          <Rendered text={text} level={3} breaks={hasLines(hit)} renderText={renderText} />
        ) : (
          <p className={styles.text}>{renderText(text, 0)}</p>
        )}
      </div>
      {isLong && !isWhole && (
        <div>
          <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t.less : t.more}
          </Button>
        </div>
      )}
      {context?.sameAs && <p className={styles.complement}>{t.neighbours.sameAs(rankOf(context.sameAs))}</p>}
    </>
  );
}
