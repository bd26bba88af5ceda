import { documentMessages } from '../../../common/documents/messages';
import { useEngineName } from '../../../common/documents/readers';
import { DocumentWarnings } from '../../../common/documents/warnings/document-warnings';
import { useFormat, useMessages } from '../../../language/language';
import { messages } from '../messages';
import styles from './add.module.css';
import type { Preview } from './preview-draft';

/** Scrolls to what has just appeared. */
const showAll = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** How many chunks there are. */
export function ChunkCount({ preview: { chunkCount, truncated } }: { preview: Preview }) {
  const t = useMessages(messages);
  const format = useFormat();
  return t.preview.count(chunkCount, format.count(chunkCount), truncated);
}

/** The chunks of a preview, and what they lack of the source. */
export function PreviewedChunks({ preview, name }: { preview: Preview; name: string }) {
  const t = useMessages(messages);
  const { readBy } = useMessages(documentMessages);
  const engineName = useEngineName();
  const format = useFormat();
  const { chunks, chunkCount, warnings } = preview;
  return (
    <>
      <DocumentWarnings warnings={warnings ?? []} title={t.preview.warnings} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which keys must be able to do */}
      <ol className={styles.pieces} ref={showAll} tabIndex={0} aria-label={t.preview.chunksOf(name)}>
        {chunks.map(({ ordinal, content, contentComplement, page, extractedBy }) => (
          <li key={ordinal}>
            <p className={styles.pieceHead}>
              <span>
                {ordinal + 1}
                {contentComplement && ` · ${contentComplement.split('\n')[0]}`}
              </span>
              <span>
                {page !== null && page > 1 && `${t.preview.page(page)} · `}
                {extractedBy !== undefined && `${readBy.of(engineName(extractedBy))} · `}
                {t.preview.characters(content?.length ?? 0, format.count(content?.length ?? 0))}
              </span>
            </p>
            <p className={styles.piece}>{content}</p>
          </li>
        ))}
        {chunkCount > chunks.length && <li>{t.more(chunkCount - chunks.length)}</li>}
      </ol>
    </>
  );
}
