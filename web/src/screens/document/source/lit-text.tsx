import { memo, useRef } from 'react';
import { hasLines, isMarkdown } from '../../../common/documents/format/is-markdown';
import { useMarkdown } from '../../../ui/markdown/use-markdown';
import styles from '../document.module.css';
import { LitMarkdown } from './lit-markdown';
import type { Segment } from './segments';
import type { SourceProps } from './source-props';
import { useChunkPointer } from './use-chunk-pointer';

interface LitTextProps extends Pick<SourceProps, 'document' | 'lit' | 'onLight' | 'onOpen'> {
  segments: Segment[];
}

/** Text in which the chunk under the pointer is lit up. The list beside it does the same for the keyboard. */
export function LitText({ document, ...text }: LitTextProps) {
  const { Rendered } = useMarkdown();
  return Rendered && isMarkdown(document) ? (
    <LitMarkdown {...text} Rendered={Rendered} breaks={hasLines(document)} />
  ) : (
    <PlainText {...text} />
  );
}

function PlainText({ segments, lit, onLight, onOpen }: Omit<LitTextProps, 'document'>) {
  const ref = useRef<HTMLParagraphElement>(null);
  useChunkPointer(ref, onLight, onOpen);
  return (
    <p ref={ref} className={styles.text}>
      {segments.map((segment) => (
        <Stretch
          key={segment.start}
          segment={segment}
          isLit={lit !== undefined && segment.chunkIds.includes(lit)}
        />
      ))}
    </p>
  );
}

const Stretch = memo(function Stretch({ segment, isLit }: { segment: Segment; isLit: boolean }) {
  // The element stays the same: a click on one that is replaced under it is lost, and so is a selection.
  return (
    // Where chunks overlap, the later one: the earlier one has text of its own before.
    <span data-chunk={segment.chunkIds.at(-1)} data-lit={isLit || undefined}>
      {segment.text}
    </span>
  );
});
