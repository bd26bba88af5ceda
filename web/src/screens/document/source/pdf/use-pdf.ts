import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { type OneDocument, refOf } from '../../use-document';
import { openPdf } from './open-pdf';

interface OpenedPdf {
  pdf?: PDFDocumentProxy | undefined;
  error?: unknown;
}

/** The file of a document as a PDF, open as long as it is shown. */
export function usePdf(document: OneDocument): OpenedPdf & { retry: () => void } {
  const [opened, setOpened] = useState<OpenedPdf>({});
  const [attempt, setAttempt] = useState(0);
  const { id, tenantId, tenantUnitId } = document;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it again
  useEffect(() => {
    let task: PDFDocumentLoadingTask | undefined;
    let isOver = false;
    const fail = (error: unknown) => {
      if (!isOver) setOpened({ error });
    };
    const ref = refOf({ id, tenantId, tenantUnitId });
    openPdf(ref, fail)
      .then(async (loading) => {
        task = loading;
        if (isOver) return loading.destroy();
        const pdf = await loading.promise;
        if (!isOver) setOpened({ pdf });
      })
      .catch(fail);
    return () => {
      isOver = true;
      setOpened({});
      void task?.destroy();
    };
  }, [id, tenantId, tenantUnitId, attempt]);
  return { ...opened, retry: () => setAttempt((before) => before + 1) };
}
