import { lazy, type Ref, Suspense, useState } from 'react';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { SourceProps } from './source-props';
import { SourceText } from './source-text';

const PdfPages = lazy(() => import('./pdf/pdf-pages'));

/** What the document was made of: as text, and as pages where it is a PDF. */
export function SourcePanel({ ref, ...props }: SourceProps & { ref: Ref<HTMLElement> }) {
  const t = useMessages(messages);
  const [isDrawn, setDrawn] = useState(false);
  const { documentSubType, documentName } = props.document;
  // What it is is known when it has been read, which may have failed.
  const isPdf = (documentSubType ?? documentName?.split('.').at(-1)?.toLowerCase()) === 'pdf';
  return (
    <section ref={ref} className={styles.source} aria-label={t.source.title}>
      <header className={styles.sourceHead}>
        <h2>{t.source.title}</h2>
        {isPdf && (
          <fieldset className={styles.choice} aria-label={t.source.as}>
            <Button size="small" aria-pressed={!isDrawn} onClick={() => setDrawn(false)}>
              {t.source.text}
            </Button>
            <Button size="small" aria-pressed={isDrawn} onClick={() => setDrawn(true)}>
              {t.source.pdf}
            </Button>
          </fieldset>
        )}
      </header>
      {isPdf && isDrawn ? (
        <Suspense fallback={<p className={styles.soft}>{t.loading}</p>}>
          <PdfPages {...props} />
        </Suspense>
      ) : (
        <SourceText {...props} />
      )}
    </section>
  );
}
