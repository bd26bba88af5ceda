import { memo, useEffect, useEffectEvent, useRef } from 'react';
import styles from '../document.module.css';
import type { Segment } from './segments';

interface LitTextProps {
  segments: Segment[];
  lit: string | undefined;
  onLight: (chunkId: string | undefined) => void;
  onOpen: (chunkId: string) => void;
}

/** Text in which the chunk under the pointer is lit up. The list beside it does the same for the keyboard. */
export function LitText({ segments, lit, onLight, onOpen }: LitTextProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  const light = useEffectEvent(onLight);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const text = ref.current;
    if (!text) return;
    const move = (event: PointerEvent) => light(chunkAt(event));
    const leave = () => light(undefined);
    const click = (event: MouseEvent) => {
      const chunkId = chunkAt(event);
      // Text that is being selected is to be copied.
      if (chunkId !== undefined && document.getSelection()?.isCollapsed !== false) open(chunkId);
    };
    text.addEventListener('pointermove', move);
    text.addEventListener('pointerleave', leave);
    text.addEventListener('click', click);
    return () => {
      text.removeEventListener('pointermove', move);
      text.removeEventListener('pointerleave', leave);
      text.removeEventListener('click', click);
    };
  }, []);
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

function chunkAt({ target }: Event): string | undefined {
  return target instanceof HTMLElement
    ? target.closest<HTMLElement>('[data-chunk]')?.dataset.chunk
    : undefined;
}
