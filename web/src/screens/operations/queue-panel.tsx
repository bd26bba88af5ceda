import { Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Panel, Remark, Stat, Stats } from '../../ui/panel';
import { Time } from '../../ui/time';
import { messages } from './messages';
import styles from './operations.module.css';
import { useQueue } from './use-operations';

type Queue = Outputs['overview']['queue'];
const stages = [
  'fetching',
  'parsing',
  'extracting',
  'splitting',
  'storing',
] as const satisfies (keyof Queue['byStage'])[];

/** Documents that wait to be processed, and those that are. */
export function QueuePanel() {
  const t = useMessages(messages);
  const format = useFormat();
  const { data, error, refetch, isPermitted } = useQueue();
  const toText = ({ count, isLowerBound }: Queue['waiting']) =>
    isLowerBound ? t.atLeast(format.count(count)) : format.count(count);
  return (
    <Panel title={t.queue.title} isWide>
      {isPermitted === false && <Remark>{t.needs('documents:read')}</Remark>}
      {error && <CallError error={error} onRetry={refetch} />}
      {isPermitted && !data && !error && <Remark>{t.loading}</Remark>}
      {data && (
        <>
          <Stats>
            <Stat name={t.queue.waiting}>
              <Link to="/documents" search={{ status: 'created' }}>
                {toText(data.waiting)}
              </Link>
            </Stat>
            <Stat name={t.queue.running}>
              <Link to="/documents" search={{ status: 'processing' }}>
                {format.count(data.running)}
              </Link>
            </Stat>
            <Stat name={t.queue.retrying}>{toText(data.retrying)}</Stat>
            {data.oldestTime && (
              <Stat isText name={t.queue.oldest}>
                <Time iso={data.oldestTime} />
              </Stat>
            )}
          </Stats>
          {data.running > 0 && (
            <ul className={styles.stages}>
              {stages.map((stage) => (
                <li key={stage}>
                  {t.queue.stages[stage]} {format.count(data.byStage[stage])}
                </li>
              ))}
            </ul>
          )}
          {data.next.length > 0 ? <NextDocuments next={data.next} /> : <Remark>{t.queue.empty}</Remark>}
        </>
      )}
    </Panel>
  );
}

function NextDocuments({ next }: { next: Queue['next'] }) {
  const t = useMessages(messages).queue;
  const format = useFormat();
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{t.next}</caption>
        <thead>
          <tr>
            <th scope="col">{t.document}</th>
            <th scope="col" className={styles.optional}>
              {t.lane}
            </th>
            <th scope="col">{t.queued}</th>
            <th scope="col" className={`${styles.number} ${styles.optional}`}>
              {t.attempts}
            </th>
            <th scope="col">{t.due}</th>
          </tr>
        </thead>
        <tbody>
          {next.map(({ documentId, documentName, lane, queuedTime, attempts, nextAttemptTime }) => (
            <tr key={documentId}>
              <th scope="row" className={styles.name}>
                <Link to="/documents/$documentId" params={{ documentId }}>
                  {documentName || documentId}
                </Link>
              </th>
              <td className={styles.optional}>{t.lanes[lane]}</td>
              <td>
                <Time iso={queuedTime} />
              </td>
              <td className={`${styles.number} ${styles.optional}`}>{format.count(attempts)}</td>
              <td>{nextAttemptTime ? <Time iso={nextAttemptTime} /> : t.now}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Remark>{t.laneHint}</Remark>
    </div>
  );
}
