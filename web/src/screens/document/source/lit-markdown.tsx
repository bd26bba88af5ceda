import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { RenderedMarkdown } from '../../../ui/markdown/rendered-markdown';
import styles from '../document.module.css';
import type { Segment } from './segments';
import { useChunkPointer } from './use-chunk-pointer';

interface LitMarkdownProps {
  Rendered: typeof RenderedMarkdown;
  segments: Segment[];
  breaks: boolean;
  lit: string | undefined;
  onLight: (chunkId: string | undefined) => void;
  onOpen: (chunkId: string) => void;
}

/** The same as rendered Markdown. It is rendered once, and what is lit up changes in what the browser has of it. */
export function LitMarkdown({ Rendered, segments, breaks, lit, onLight, onOpen }: LitMarkdownProps) {
  const ref = useRef<HTMLDivElement>(null);
  useChunkPointer(ref, onLight, onOpen);
  const text = useMemo(() => segments.map((segment) => segment.text).join(''), [segments]);
  const renderText = useCallback(
    (piece: string, start: number) =>
      segments.map(({ start: from, text: all, chunkIds }, place) => {
        // Of a text whose place is not quite known, nothing is left out.
        const end = place === segments.length - 1 ? piece.length : Math.max(0, from + all.length - start);
        const part = piece.slice(Math.max(0, from - start), end);
        return (
          part && (
            <span key={from} data-chunk={chunkIds.at(-1)} data-chunks={chunkIds.join(' ')}>
              {part}
            </span>
          )
        );
      }),
    [segments],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: other segments are other elements
  useEffect(() => {
    if (lit === undefined) return;
    const found = ref.current?.querySelectorAll<HTMLElement>(`[data-chunks~="${CSS.escape(lit)}"]`) ?? [];
    for (const element of found) element.dataset.lit = 'true';
    return () => {
      for (const element of found) delete element.dataset.lit;
    };
  }, [lit, segments]);
  return (
    <div ref={ref} className={styles.rendered}>
      <Rendered text={text} level={4} breaks={breaks} renderText={renderText} />
    </div>
  );
}
