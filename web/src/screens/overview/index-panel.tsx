import { Link } from '@tanstack/react-router';
import { useFormat, useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { Panel, Remark, Stat, Stats } from '../../ui/panel';
import { Time } from '../../ui/time';
import { messages } from './messages';
import { useIndexStatus } from './use-overview';

/** How far the search index is behind, for operators. */
export function IndexPanel() {
  const t = useMessages(messages).index;
  const format = useFormat();
  const { data } = useIndexStatus();
  if (!data) return null;
  const { served, chunks, postings, changes, embedding } = data;
  const waiting = changes ? changes.waiting : postings.changes;
  const state = served ? waiting === 0 && <Badge tone="good">{t.inStep}</Badge> : undefined;
  return (
    <Panel isWide title={t.title} actions={state ?? <Badge tone="bad">{t.down}</Badge>}>
      <Stats>
        <Stat name={t.chunks}>{format.count(chunks)}</Stat>
        <Stat name={t.waiting}>{format.count(waiting)}</Stat>
        {changes?.oldestTime && (
          <Stat isText name={t.oldest}>
            <Time iso={changes.oldestTime} />
          </Stat>
        )}
        {embedding && <Stat name={t.embedding}>{format.count(embedding.waiting)}</Stat>}
      </Stats>
      <Remark>
        {t.hint} <Link to="/operations">{t.more}</Link>
      </Remark>
    </Panel>
  );
}
