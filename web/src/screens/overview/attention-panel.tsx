import { skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';
import { documentMessages } from '../../common/documents/messages';
import { useCountText } from '../../common/use-count-text';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Panel, Remark } from '../../ui/panel';
import styles from './attention.module.css';
import { type AttentionItem, attentionItems } from './attention-items';
import { messages } from './messages';
import { type Attention, useAttention } from './use-overview';

const ProcessAgain = lazy(() => import('./process-again'));

/** Lines that are shown at once. */
const MAX_LINES = 6;

/** What somebody should look at, each with what can be done about it; a single line where there is nothing. */
export function AttentionPanel() {
  const t = useMessages(messages).attention;
  const documents = useMessages(documentMessages);
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const { data, error, refetch } = useAttention();
  // A line may be at work: it stays where one of the later readings fails.
  if (error && !data) return <CallError error={error} onRetry={refetch} />;
  if (!data || Object.values(data).every((part) => part === null)) return null;
  const items = attentionItems(data, { t, documents, duration: format.duration, ago: format.ago });
  if (items.length === 0) {
    return (
      <p className={styles.calm}>
        <CircleCheck aria-hidden /> {t.nothing}
      </p>
    );
  }
  const shown = isWhole ? items : items.slice(0, MAX_LINES);
  const most = unexplained(data);
  const unfold = (
    <Button kind="quiet" size="small" onClick={() => setWhole(!isWhole)}>
      {isWhole ? t.less : t.more(items.length - MAX_LINES)}
    </Button>
  );
  return (
    <Panel title={t.title} actions={items.length > MAX_LINES ? unfold : undefined}>
      <ul className={styles.lines}>
        {shown.map((item) => (
          <Line key={item.key} item={item} />
        ))}
      </ul>
      {most !== undefined && <Remark>{t.newest(format.count(most))}</Remark>}
    </Panel>
  );
}

/** Of how many failed documents the reasons are known, where that is not all of them. */
function unexplained({ documents }: Attention): number | undefined {
  if (!documents) return undefined;
  const { failed, failures } = documents;
  const explained = failures.reduce((sum, { count }) => sum + count, 0);
  return failed.isLowerBound || failed.count > explained ? explained : undefined;
}

function Line({ item }: { item: AttentionItem }) {
  const { tone, icon: Icon, count, say, advice, link, again, single } = item;
  const toText = useCountText();
  const mayProcess = usePermission('documents:write') === true;
  const scope = useScope();
  const named = useQuery(
    trpc.documents.list.queryOptions(single ? { scope, ...single.filter, page: 1, pageSize: 1 } : skipToken),
  );
  const document = named.data?.items[0];
  return (
    <li className={`${styles.line} ${styles[tone]}`}>
      <Icon aria-hidden />
      <p>
        <Link {...link} className={styles.text}>
          {single && document ? single.say(nameOf(document)) : say(toText(count), count.count)}
        </Link>
        {advice && <span className={styles.advice}>{advice}</span>}
      </p>
      {again && mayProcess ? (
        <Suspense>
          <ProcessAgain {...again} />
        </Suspense>
      ) : (
        <ChevronRight aria-hidden className={styles.open} />
      )}
    </li>
  );
}
