import { TRPCClientError } from '@trpc/client';
import { useState } from 'react';
import { CallError } from '../../../../api/call-error';
import { useFormat, useMessages } from '../../../../language/language';
import { Button } from '../../../../ui/button';
import { ErrorNotice } from '../../../../ui/notice';
import styles from '../../document.module.css';
import { messages } from '../../messages';
import type { SourceProps } from '../source-props';
import { PdfPage } from './pdf-page';
import { usePdf } from './use-pdf';

/** The PDF that was uploaded, a page at a time: first the one that the chunks beside it begin on. */
export default function PdfPages({ document, chunks, anchor, lit }: SourceProps) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const { pdf, error, retry } = usePdf(document);
  const [turned, setTurned] = useState<{ page: number; from: string | undefined }>();
  if (error) return <PdfError error={error} onRetry={retry} />;
  if (!pdf) return <p className={styles.soft}>{t.loading}</p>;
  const wanted = turned && turned.from === anchor?.id ? turned.page : (anchor?.metadata.page_number ?? 1);
  const page = Math.min(Math.max(1, wanted), pdf.numPages);
  const turn = (to: number) => setTurned({ page: to, from: anchor?.id });
  const shown = chunks.find(({ id }) => id === lit);
  return (
    <>
      <nav className={styles.turn} aria-label={t.source.turn}>
        <Button size="small" disabled={page <= 1} onClick={() => turn(page - 1)}>
          {t.source.previous}
        </Button>
        <label>
          {t.source.pdfPage}{' '}
          <input
            className={styles.pageNumber}
            type="number"
            min={1}
            max={pdf.numPages}
            value={page}
            onChange={(event) => {
              if (event.target.validity.valid && event.target.value !== '') turn(event.target.valueAsNumber);
            }}
          />{' '}
          {t.source.of(count(pdf.numPages))}
        </label>
        <Button size="small" disabled={page >= pdf.numPages} onClick={() => turn(page + 1)}>
          {t.source.next}
        </Button>
      </nav>
      <PdfPage pdf={pdf} number={page} litText={shown?.originalContent ?? shown?.content} />
    </>
  );
}

function PdfError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useMessages(messages);
  if (error instanceof TRPCClientError) return <CallError error={error} onRetry={onRetry} />;
  const isProtected = error instanceof Error && error.name === 'PasswordException';
  return (
    <ErrorNotice>
      <p>{isProtected ? t.source.protected : t.source.undrawable}</p>
    </ErrorNotice>
  );
}
