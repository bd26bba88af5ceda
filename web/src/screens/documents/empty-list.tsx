import { getRouteApi } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { documentMessages } from '../../common/documents/messages';
import { useSamples } from '../../common/documents/samples/use-samples';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { messages } from './messages';
import type { DocumentsSearch } from './search-params';

const route = getRouteApi('/documents');

/** Why there is no document, and what to do about it. */
export function EmptyList({ search: { name, status, type, dataset } }: { search: DocumentsSearch }) {
  const t = useMessages(messages);
  const navigate = route.useNavigate();
  const { samples: words } = useMessages(documentMessages);
  const samples = useSamples();
  const none = {
    name: undefined,
    status: undefined,
    reason: undefined,
    type: undefined,
    dataset: undefined,
    row: undefined,
  };
  if (name || status || type || dataset) {
    return (
      <EmptyState Icon={FileText} title={t.empty.filtered}>
        <Button onClick={() => navigate({ search: (now) => ({ ...now, ...none }) })}>{t.empty.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState Icon={FileText} title={t.empty.title}>
      <p>{t.empty.text}</p>
      <Button disabled={samples.isPending} onClick={() => samples.mutate()}>
        {words.add}
      </Button>
      {samples.error && <CallError error={samples.error} />}
    </EmptyState>
  );
}
