import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isRealMove } from './is-real-move';

/** Tells of the chunk under the pointer, and of a click on it, in an element whose texts say which chunk they are of. */
export function useChunkPointer(
  ref: RefObject<HTMLElement | null>,
  onLight: (chunkId: string | undefined) => void,
  onOpen: (chunkId: string) => void,
): void {
  const light = useEffectEvent(onLight);
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const text = ref.current;
    if (!text) return;
    const move = (event: PointerEvent) => isRealMove() && light(chunkAt(event));
    const leave = () => light(undefined);
    const click = (event: MouseEvent) => {
      const chunkId = chunkAt(event);
      // Text that is being selected is to be copied, and a link is to be followed.
      if (chunkId === undefined || (event.target as HTMLElement).closest('a')) return;
      if (document.getSelection()?.isCollapsed !== false) open(chunkId);
    };
    text.addEventListener('pointermove', move);
    text.addEventListener('pointerleave', leave);
    text.addEventListener('click', click);
    return () => {
      text.removeEventListener('pointermove', move);
      text.removeEventListener('pointerleave', leave);
      text.removeEventListener('click', click);
    };
  }, [ref]);
}

function chunkAt({ target }: Event): string | undefined {
  return target instanceof HTMLElement
    ? target.closest<HTMLElement>('[data-chunk]')?.dataset.chunk
    : undefined;
}
