import { Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import type { Outputs } from '../../api/trpc';
import { useCountText } from '../../common/use-count-text';
import { useFormat, useMessages } from '../../language/language';
import { Panel, Remark, Stat, Stats } from '../../ui/panel';
import { ScrollBox } from '../../ui/scroll-box';
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
  const { data, error, refetch, isPermitted } = useQueue();
  return (
    <Panel title={t.queue.title} isWide>
      {isPermitted === false && <Remark>{t.needs('documents:read')}</Remark>}
      {error && <CallError error={error} onRetry={refetch} />}
      {isPermitted && !data && !error && <Remark>{t.loading}</Remark>}
      {data && <Numbers queue={data} />}
      {data && (data.next.length > 0 ? <NextDocuments queue={data} /> : <Remark>{t.queue.empty}</Remark>)}
    </Panel>
  );
}

function Numbers({ queue }: { queue: Queue }) {
  const t = useMessages(messages).queue;
  const format = useFormat();
  const toText = useCountText();
  const { waiting, retrying, running, oldestTime } = queue;
  return (
    <>
      <Stats>
        <Stat name={t.all}>
          <Link to="/documents" search={{ status: 'created' }}>
            {toText(queuedOf(queue))}
          </Link>
        </Stat>
        <Stat name={t.waiting}>{toText(waiting)}</Stat>
        <Stat name={t.retrying}>{toText(retrying)}</Stat>
        <Stat name={t.running}>
          <Link to="/documents" search={{ status: 'processing' }}>
            {format.count(running)}
          </Link>
        </Stat>
        {oldestTime && (
          <Stat isText name={t.oldest}>
            <Time iso={oldestTime} />
          </Stat>
        )}
      </Stats>
      {running > 0 && (
        <ul className={styles.stages} aria-label={t.running}>
          {stagesOf(queue).map(([stage, count]) => (
            <li key={stage}>
              {t.stages[stage]} {format.count(count)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const queuedOf = ({ waiting, retrying }: Queue): Queue['waiting'] => ({
  count: waiting.count + retrying.count,
  isLowerBound: waiting.isLowerBound || retrying.isLowerBound,
});

/** The parts of those that are processed; those without a stage have just been begun. */
function stagesOf({ running, byStage }: Queue) {
  const known = stages.map((stage) => [stage, byStage[stage]] as const);
  const begun = running - known.reduce((sum, [, count]) => sum + count, 0);
  return [['begun', begun] as const, ...known].filter(([, count]) => count > 0);
}

function NextDocuments({ queue }: { queue: Queue }) {
  const t = useMessages(messages).queue;
  const format = useFormat();
  const toText = useCountText();
  const { next } = queue;
  const queued = queuedOf(queue);
  return (
    <ScrollBox label={t.next} className={styles.scroll}>
      <table className={styles.table}>
        <caption>
          {next.length === queued.count ? t.next : t.first(format.count(next.length), toText(queued))}
        </caption>
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
      <div className={styles.optional}>
        <Remark>{t.laneHint}</Remark>
      </div>
    </ScrollBox>
  );
}
