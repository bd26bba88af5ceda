import { useMessages } from '../language/language';
import { EmptyState } from '../ui/notice';
import { messages } from './messages';

/** Says that the console cannot be used on a server that asks for keys. */
export function NeedsKey() {
  const t = useMessages(messages);
  return (
    <EmptyState title={t.needsKey.title}>
      <p>{t.needsKey.text}</p>
      <p>{t.needsKey.instead}</p>
      <a href="/docs">{t.reference}</a>
    </EmptyState>
  );
}
