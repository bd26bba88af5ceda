import { getRouteApi } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { documentMessages } from '../../common/documents/messages';
import { useSamples } from '../../common/documents/samples/use-samples';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import type { Draft } from './add/draft';
import styles from './documents.module.css';
import { messages } from './messages';
import type { DocumentsSearch } from './search-params';

const route = getRouteApi('/documents');

interface EmptyListProps {
  search: DocumentsSearch;
  onAdd: (initial: Partial<Draft>) => void;
}

/** Why there is no document, and what to do about it. */
export function EmptyList({ search: { name, status, type, dataset }, onAdd }: EmptyListProps) {
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
      <EmptyState title={t.empty.filtered}>
        <Button onClick={() => navigate({ search: (now) => ({ ...now, ...none }) })}>{t.empty.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t.empty.title}>
      <p>{t.empty.text}</p>
      <div className={styles.offers}>
        <Button kind="primary" onClick={() => onAdd({})}>
          {t.add.title}
        </Button>
        <Button disabled={samples.isPending} onClick={() => samples.mutate()}>
          {words.add}
        </Button>
      </div>
      {samples.error && <CallError error={samples.error} />}
    </EmptyState>
  );
}
