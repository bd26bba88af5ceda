import { useMessages } from '../../language/language';
import { chooseExcerpt, MarkedText } from '../../ui/marked-text';
import styles from './hits.module.css';
import { messages } from './messages';
import type { SearchHit } from './use-search';

/** Longer texts are cut until they are asked for. */
const LONG_TEXT = 600;

export const isLongHit = ({ content, context }: SearchHit) => !context?.text && content.length > LONG_TEXT;

interface HitTextProps {
  hit: SearchHit;
  isOpen: boolean;
  /** Of another hit of this search. */
  rankOf: (id: string) => number;
}

/** The text of a hit with the searched words marked, among its neighbours if they were asked for. */
export function HitText({ hit, isOpen, rankOf }: HitTextProps) {
  const t = useMessages(messages);
  const { content, marks, context } = hit;
  if (context?.text) {
    return (
      <p className={styles.text}>
        <span className={styles.around}>{context.text.slice(0, context.start)}</span>
        <MarkedText text={content} marks={marks} />
        <span className={styles.around}>{context.text.slice(context.end)}</span>
      </p>
    );
  }
  const isCut = isLongHit(hit) && !isOpen;
  return (
    <>
      <p className={styles.text}>
        <MarkedText
          text={content}
          marks={marks}
          part={isCut ? chooseExcerpt(content, marks, LONG_TEXT) : undefined}
        />
      </p>
      {context?.sameAs && <p className={styles.complement}>{t.neighbours.sameAs(rankOf(context.sameAs))}</p>}
    </>
  );
}
