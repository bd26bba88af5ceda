import { useMessages } from '../../../language/language';
import { ScrollBox } from '../../../ui/scroll-box';
import styles from '../document.module.css';
import { messages } from '../messages';
import { compareTexts } from './compare-texts';

/** What was taken out of a text, and what came in. */
export default function TextDiff({ before, after }: { before: string; after: string }) {
  const t = useMessages(messages);
  const parts = compareTexts(before, after);
  if (!parts) {
    return (
      <>
        <p className={styles.soft}>{t.edit.tooDifferent}</p>
        <ScrollBox label={t.edit.changes} className={styles.diff}>
          {before}
        </ScrollBox>
      </>
    );
  }
  let at = 0;
  return (
    <ScrollBox label={t.edit.changes} className={styles.diff}>
      {parts.map(({ kind, text }) => {
        const key = `${kind} ${at}`;
        at += text.length;
        if (kind === 'added') return <ins key={key}>{text}</ins>;
        return kind === 'removed' ? <del key={key}>{text}</del> : <span key={key}>{text}</span>;
      })}
    </ScrollBox>
  );
}
