import styles from './json-block.module.css';

/** Longer text is shown as it is: laying it out would hold up the page. */
const MAX_PRETTY_LENGTH = 200_000;

/** JSON or other text of a machine, with its spaces. */
export function JsonBlock({ value }: { value: unknown }) {
  return (
    <pre className={styles.block}>
      {typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}
    </pre>
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
