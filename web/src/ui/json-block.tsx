import { type Dictionary, useMessages } from '../language/language';
import styles from './json-block.module.css';
import { ScrollBox } from './scroll-box';

const messages: Dictionary<{ data: string }> = { en: { data: 'Data' }, zh: { data: '数据' } };

/** Longer text is shown as it is: laying it out would hold up the page. */
const MAX_PRETTY_LENGTH = 200_000;

/** JSON or other text of a machine, with its spaces. */
export function JsonBlock({ value, label }: { value: unknown; label?: string }) {
  const t = useMessages(messages);
  return (
    <ScrollBox label={label ?? t.data} className={styles.box}>
      <pre>{typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}</pre>
    </ScrollBox>
  );
}

function pretty(text: string): string {
  if (text.length > MAX_PRETTY_LENGTH) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
