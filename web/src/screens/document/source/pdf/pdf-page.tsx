import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useFormat, useMessages } from '../../../../language/language';
import { ScrollBox } from '../../../../ui/scroll-box';
import styles from '../../document.module.css';
import { messages } from '../../messages';
import { LitPlaces } from './lit-places';

/** Pixels of a canvas: 16 MB of memory. */
const MAX_PIXELS = 4_000_000;
const MAX_DENSITY = 2;

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  number: number;
  /** The text of the chunk that is lit up. */
  litText: string | undefined;
}

/** A page as it is printed, as wide as there is room. */
export function PdfPage({ pdf, number, litText }: PdfPageProps) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isOver = false;
    setBroken(false);
    pdf.getPage(number).then(
      (found) => !isOver && setPage(found),
      () => !isOver && setBroken(true),
    );
    return () => {
      isOver = true;
    };
  }, [pdf, number]);
  useEffect(() => {
    const target = canvas.current;
    if (!page || !target) return;
    const { width, height } = page.getViewport({ scale: 1 });
    const room = target.parentElement?.clientWidth ?? width;
    const scale = Math.min(
      (room / width) * Math.min(window.devicePixelRatio, MAX_DENSITY),
      Math.sqrt(MAX_PIXELS / (width * height)),
    );
    const viewport = page.getViewport({ scale });
    target.width = Math.floor(viewport.width);
    target.height = Math.floor(viewport.height);
    const drawing = page.render({ canvas: target, viewport });
    drawing.promise.catch((error: Error) => {
      if (error.name !== 'RenderingCancelledException') setBroken(true);
    });
    return () => {
      drawing.cancel();
      page.cleanup();
    };
  }, [page]);
  return (
    <ScrollBox label={t.source.page(count(number))} className={styles.sheet}>
      {isBroken && <p className={styles.soft}>{t.source.pageBroken}</p>}
      {/* As high as the page, of which the box may show less. */}
      <div className={styles.paper}>
        <canvas ref={canvas} className={styles.canvas} aria-label={t.source.page(count(number))} role="img" />
        {page?.pageNumber === number && litText !== undefined && <LitPlaces page={page} text={litText} />}
      </div>
    </ScrollBox>
  );
}
