import { useState } from 'react';
import type { Document } from '../../api/trpc';

/** Most documents that are selected at once. */
export const MAX_SELECTED = 10_000;

/** The documents that something is about to be done with. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Document>>(new Map());
  return {
    selected,
    clear: () => setSelected(new Map()),
    replace: (documents: Document[]) =>
      setSelected(new Map(documents.slice(0, MAX_SELECTED).map((document) => [document.id, document]))),
    /** Adds or removes documents, as long as there are not too many. */
    set: (documents: Document[], isSelected: boolean) =>
      setSelected((now) => {
        const next = new Map(now);
        for (const document of documents) {
          if (!isSelected) next.delete(document.id);
          else if (next.size < MAX_SELECTED) next.set(document.id, document);
        }
        return next;
      }),
  };
}

export type Selection = ReturnType<typeof useSelection>;
