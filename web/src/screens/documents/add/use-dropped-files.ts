import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Calls back with the files that are dropped anywhere on the page; true while some are held over it.
 *
 * @param isInDialog whether it is for a dialog; else nothing is done while there is one, which is about something else
 */
export function useDroppedFiles(onDrop: (files: File[]) => void, isInDialog = false): boolean {
  const [isDragging, setDragging] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const isMeant = () => (document.querySelector('dialog[open]') !== null) === isInDialog;
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(isMeant());
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDropped = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      setDragging(false);
      if (files.length === 0) return;
      event.preventDefault();
      if (isMeant()) drop(files);
    };
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener('dragover', onDragOver, { signal });
    window.addEventListener('dragleave', onDragLeave, { signal });
    window.addEventListener('drop', onDropped, { signal });
    return () => ending.abort();
  }, [isInDialog]);
  return isDragging;
}
