import { Link, useLocation } from '@tanstack/react-router';
import { useMessages } from '../language/language';
import { EmptyState } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { messages } from './messages';

/** For an address that no screen has. The link keeps tenant and unit. */
export function NotFound() {
  const t = useMessages(messages);
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <>
      <PageHeader title={t.notFound.title} />
      <EmptyState title={t.notFound.text(pathname)}>
        <Link to="/overview">{t.notFound.back}</Link>
      </EmptyState>
    </>
  );
}
