import { lazy, type Ref, Suspense, useState } from 'react';
import { formatOf } from '../../../common/documents/format/document-format';
import { isMarkdown } from '../../../common/documents/format/is-markdown';
import { useMessages } from '../../../language/language';
import { Choice } from '../../../ui/choice';
import { markdownMessages } from '../../../ui/markdown/messages';
import { markdownViews, useMarkdownView } from '../../../ui/markdown/use-markdown';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { SourceProps } from './source-props';
import { SourceText } from './source-text';

const PdfPages = lazy(() => import('./pdf/pdf-pages'));

/** What the document was made of: as text, and as pages where it is a PDF. */
export function SourcePanel({ ref, ...props }: SourceProps & { ref: Ref<HTMLElement> }) {
  const t = useMessages(messages);
  const texts = { ...useMessages(markdownMessages), pdf: t.source.pdf };
  const [view, setView] = useMarkdownView();
  const [isDrawn, setDrawn] = useState(false);
  const isPdf = formatOf(props.document) === 'pdf';
  const views = isPdf ? ([...markdownViews, 'pdf'] as const) : markdownViews;
  const choose = (value: (typeof views)[number]) => {
    setDrawn(value === 'pdf');
    if (value !== 'pdf') setView(value);
  };
  return (
    <section ref={ref} className={styles.source} aria-label={t.source.title}>
      <header className={styles.sourceHead}>
        <h2>{t.source.title}</h2>
        {isMarkdown(props.document) && (
          <Choice
            label={t.source.as}
            value={isPdf && isDrawn ? 'pdf' : view}
            options={views.map((value) => ({ value, text: texts[value] }))}
            onChange={choose}
          />
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
