import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../api/call-error';
import { DocumentWarnings } from '../../../common/documents/document-warnings';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import styles from './add.module.css';
import type { Draft } from './draft';
import { canPreview, previewDraft } from './preview-draft';

/** Scrolls to what has just appeared. */
const showAll = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** The chunks that a draft would give, before anything is stored. */
export function ChunkPreview({ draft, tenantId }: { draft: Draft; tenantId: string }) {
  const t = useMessages(messages);
  const format = useFormat();
  const preview = useMutation({ mutationFn: () => previewDraft(draft, tenantId) });
  if (draft.kind === 'sitemap') return null;
  const { data, error, isPending } = preview;
  return (
    <section className={styles.preview} aria-label={t.preview.title}>
      <div className={styles.previewHead}>
        <Button disabled={isPending || !canPreview(draft)} onClick={() => preview.mutate()}>
          {isPending ? t.preview.running : t.preview.show}
        </Button>
        {data && !isPending && (
          <span role="status">
            {t.preview.of(data.name)}
            {t.preview.count(data.chunkCount, format.count(data.chunkCount), data.truncated)}
          </span>
        )}
      </div>
      {error && !isPending && <CallError error={error} />}
      {data && !isPending && <DocumentWarnings warnings={data.warnings ?? []} title={t.preview.warnings} />}
      {data && !isPending && (
        <ol className={styles.pieces} ref={showAll}>
          {data.chunks.map(({ ordinal, content, contentComplement, page }) => (
            <li key={ordinal}>
              <p className={styles.pieceHead}>
                <span>
                  {ordinal + 1}
                  {contentComplement && ` · ${contentComplement.split('\n')[0]}`}
                </span>
                <span>
                  {page !== null && page > 1 && `${t.preview.page(page)} · `}
                  {t.preview.characters(content?.length ?? 0, format.count(content?.length ?? 0))}
                </span>
              </p>
              <p className={styles.piece}>{content}</p>
            </li>
          ))}
          {data.chunkCount > data.chunks.length && <li>{t.more(data.chunkCount - data.chunks.length)}</li>}
        </ol>
      )}
    </section>
  );
}
