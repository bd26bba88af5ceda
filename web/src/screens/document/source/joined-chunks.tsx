import { useEffect, useMemo, useRef } from 'react';
import type { Outputs } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { ScrollBox } from '../../../ui/scroll-box';
import styles from '../document.module.css';
import { messages } from '../messages';
import { Address } from '../properties/facts';
import { LitText } from './lit-text';
import { scrollToLit } from './scroll-to-lit';
import type { SourceProps } from './source-props';

type Reason = Exclude<Outputs['documents']['sourceText']['unavailable'], 'being_read' | null>;

/** In place of a source that cannot be shown: why, where it is, and the text of the listed chunks as one. */
export function JoinedChunks({
  document,
  chunks,
  lit,
  reason,
  onLight,
  onOpen,
}: SourceProps & { reason: Reason }) {
  const t = useMessages(messages);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lit !== undefined) scrollToLit(scroller.current);
  }, [lit]);
  const texts = useMemo(
    () => chunks.map(({ id, content }) => ({ id, segments: [{ start: 0, text: content, chunkIds: [id] }] })),
    [chunks],
  );
  const { url, storageBucket, storagePath } = document;
  return (
    <>
      <p className={styles.why}>
        {t.source.unavailable[reason]} {url && <Address url={url} />}
        {!url && storageBucket && <code>{`${storageBucket}/${storagePath}`}</code>}
      </p>
      {chunks.length > 0 && (
        <ScrollBox ref={scroller} label={t.source.joined} className={styles.pages}>
          <article className={styles.page}>
            <h3>{t.source.joined}</h3>
            {texts.map(({ id, segments }) => (
              <LitText
                key={id}
                document={document}
                segments={segments}
                lit={lit}
                onLight={onLight}
                onOpen={onOpen}
              />
            ))}
          </article>
        </ScrollBox>
      )}
    </>
  );
}
