import { useFormat, useMessages } from '../../language/language';
import { TimeIn } from '../../ui/time';
import styles from './hits.module.css';
import { messages } from './messages';
import type { SearchHit } from './use-search';

/** Where a hit is from: its datasets, the document's title and address, and the place in it. */
export function Citation({ hit: { citation, documentName, datasetIds } }: { hit: SearchHit }) {
  const t = useMessages(messages).citation;
  const { count } = useFormat();
  const { title, url, pages, slide, sheet, rows } = citation;
  const range = ({ first, last }: { first: number; last: number }) =>
    first === last ? count(first) : `${count(first)}–${count(last)}`;
  const facts = [
    datasetIds.join(', '),
    title !== documentName && title,
    pages && t.pages(range(pages), pages.first === pages.last),
    slide && t.slide(count(slide)),
    sheet !== undefined && t.sheet(sheet),
    rows && t.rows(range(rows), rows.first === rows.last),
    t.chunk(count(citation.ordinal + 1)),
    citation.edited && t.edited,
  ];
  return (
    <span className={styles.citation}>
      {facts.filter(Boolean).join(' · ')}
      {url && (
        <>
          {' · '}
          {/^https?:\/\//i.test(url) ? (
            <a href={url} target="_blank" rel="noreferrer">
              {url}
            </a>
          ) : (
            <code>{url}</code>
          )}
        </>
      )}
    </span>
  );
}

/** What programs need to cite it. */
export function CitationDetails({ hit: { id, citation } }: { hit: SearchHit }) {
  const t = useMessages(messages).citation;
  const { count } = useFormat();
  const { span, processedTime } = citation;
  return (
    <details className={styles.details}>
      <summary>{t.details}</summary>
      <p className={styles.citation}>
        <code>{id}</code>
        {span && ` · ${t.characters(count(span.start), count(span.end))}`}
        {` · ${t.version(count(citation.version))}`}
        {processedTime && (
          <>
            {' · '}
            <TimeIn iso={processedTime} say={t.processed} />
          </>
        )}
      </p>
    </details>
  );
}
