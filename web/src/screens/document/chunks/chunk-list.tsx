import { useState } from 'react';
import { useMessages } from '../../../language/language';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { OneDocument } from '../use-document';
import { ChunkActions } from './chunk-actions';
import { ChunkCard } from './chunk-card';
import { DeleteChunksDialog } from './delete-chunks-dialog';
import { EditDialog } from './edit-dialog';
import type { Chunk } from './use-chunks';

interface ChunkListProps {
  document: OneDocument;
  chunks: Chunk[];
  /** The chunk that the address names. */
  opened: string | undefined;
  lit: string | undefined;
  onLight: (chunkId: string | undefined) => void;
  onShow: (chunk: Chunk) => void;
}

/** A page of chunks, of which several can be chosen. */
export function ChunkList({ document, chunks, opened, lit, onLight, onShow }: ChunkListProps) {
  const t = useMessages(messages);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<Chunk>();
  const [removing, setRemoving] = useState<Chunk[]>();
  const selection = chunks.filter(({ id }) => chosen.has(id));
  const choose = (ids: string[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) isChosen ? after.add(id) : after.delete(id);
      return after;
    });
  return (
    <>
      <div className={styles.bulk}>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={selection.length === chunks.length}
            onChange={(event) =>
              choose(
                chunks.map(({ id }) => id),
                event.target.checked,
              )
            }
          />
          {t.bulk.all}
        </label>
        {selection.length > 0 && (
          <ChunkActions document={document} selection={selection} onDelete={() => setRemoving(selection)} />
        )}
      </div>
      <ol className={styles.chunks}>
        {chunks.map((chunk) => (
          <ChunkCard
            key={chunk.id}
            document={document}
            chunk={chunk}
            isOpened={chunk.id === opened}
            isLit={chunk.id === lit}
            isChosen={chosen.has(chunk.id)}
            onChoose={(isChosen) => choose([chunk.id], isChosen)}
            onLight={onLight}
            onShow={() => onShow(chunk)}
            onEdit={() => setEditing(chunk)}
            onDelete={() => setRemoving([chunk])}
          />
        ))}
      </ol>
      {editing && <EditDialog document={document} chunk={editing} onClose={() => setEditing(undefined)} />}
      {removing && (
        <DeleteChunksDialog document={document} chunks={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}
