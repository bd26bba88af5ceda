import { Link } from '@tanstack/react-router';
import { useMessages } from '../language/language';
import { EmptyState } from '../ui/notice';
import { messages } from './messages';

/** For an address that no screen has. */
export function NotFound() {
  const t = useMessages(messages);
  return (
    <EmptyState title={t.notFound.title}>
      <Link to="/overview">{t.notFound.back}</Link>
    </EmptyState>
  );
}
