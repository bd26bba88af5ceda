import { useFormat, useMessages } from '../../language/language';
import { TimeIn } from '../../ui/time';
import styles from './hits.module.css';
import { messages } from './messages';
import type { SearchHit } from './use-search';

/** Where a hit is from: the document's title and address, and the place in it. */
export function CitationLine({ hit: { citation, documentName } }: { hit: SearchHit }) {
  const t = useMessages(messages).citation;
  const { count } = useFormat();
  const { title, url, pages, slide, sheet, rows, span, processedTime } = citation;
  const range = ({ first, last }: { first: number; last: number }) =>
    first === last ? count(first) : `${count(first)}–${count(last)}`;
  const facts = [
    title !== documentName && title,
    pages && t.pages(range(pages), pages.first === pages.last),
    slide && t.slide(count(slide)),
    sheet !== undefined && t.sheet(sheet),
    rows && t.rows(range(rows), rows.first === rows.last),
    t.chunk(count(citation.ordinal + 1)),
    span && t.characters(count(span.start), count(span.end)),
    t.version(count(citation.version)),
    citation.edited && t.edited,
  ];
  return (
    <p className={styles.citation}>
      {facts.filter(Boolean).join(' · ')}
      {processedTime && (
        <>
          {' · '}
          <TimeIn iso={processedTime} say={t.processed} />
        </>
      )}
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
    </p>
  );
}
