import { useMessages } from '../../language/language';
import { PageHeader } from '../../ui/page-header';
import { messages } from './messages';

export function DocumentScreen() {
  const t = useMessages(messages);
  return <PageHeader title={t.title} />;
}
