import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { ErrorNotice } from '../../ui/notice';
import { Panel, Remark, Stat, Stats } from '../../ui/panel';
import { Time, TimeIn } from '../../ui/time';
import { messages } from './messages';
import styles from './operations.module.css';
import { useIndexStatus } from './use-operations';

/** The search index: what it holds, and what has not reached it. */
export function IndexPanel() {
  const t = useMessages(messages);
  const format = useFormat();
  const { data, error, refetch, isPermitted } = useIndexStatus();
  const badge = data && (
    <Badge tone={data.served ? 'good' : 'bad'}>{data.served ? t.index.served : t.index.down}</Badge>
  );
  if (!data) {
    return (
      <Panel title={t.index.title}>
        {isPermitted === false && <Remark>{t.needs('operations')}</Remark>}
        {error && <CallError error={error} onRetry={refetch} />}
        {isPermitted && !error && <Remark>{t.loading}</Remark>}
      </Panel>
    );
  }
  const { engine, chunks, postings, embedding, index, changes, reason, server } = data;
  return (
    <Panel title={format.named(t.index.title, t.index.engines[engine])} actions={badge}>
      {(reason ?? server?.error) && <ErrorNotice>{reason ?? server?.error}</ErrorNotice>}
      <Stats>
        <Stat name={t.index.chunks}>{format.count(chunks)}</Stat>
        {index && (
          <>
            <Stat name={t.index.indexed}>
              {index.documents === null ? '–' : format.count(index.documents)}
            </Stat>
            <Stat isText name={t.index.state}>
              {t.index.states[index.state]}
            </Stat>
          </>
        )}
        {changes && (
          <>
            <Stat name={t.index.waiting}>{format.count(changes.waiting)}</Stat>
            {changes.oldestTime && (
              <Stat isText name={t.index.oldest}>
                <Time iso={changes.oldestTime} />
              </Stat>
            )}
            {changes.syncedTime && (
              <Stat isText name={t.index.synced}>
                <Time iso={changes.syncedTime} />
              </Stat>
            )}
            {changes.setAside.count > 0 && (
              <Stat name={t.index.setAside}>{format.count(changes.setAside.count)}</Stat>
            )}
          </>
        )}
        <Stat name={t.index.merging}>{format.count(postings.changes)}</Stat>
        {embedding && (
          <>
            <Stat name={t.index.embedding}>{format.count(embedding.waiting)}</Stat>
            {embedding.failed > 0 && (
              <Stat name={t.index.embeddingFailed}>{format.count(embedding.failed)}</Stat>
            )}
          </>
        )}
      </Stats>
      {index?.rebuild && (
        <Remark>
          {t.index.rebuild(format.count(index.rebuild.copied), format.count(index.rebuild.total))}
        </Remark>
      )}
      {changes?.error && (
        <ErrorNotice>
          {changes.error.time ? (
            <TimeIn
              iso={changes.error.time}
              say={(ago) => t.index.lastError(ago, changes.error?.message ?? '')}
            />
          ) : (
            changes.error.message
          )}
        </ErrorNotice>
      )}
      {[...(changes?.setAside.first ?? []), ...(embedding?.errors ?? [])].length > 0 && (
        <ul className={styles.facts}>
          {[...(changes?.setAside.first ?? []), ...(embedding?.errors ?? [])].map(
            ({ chunkId, error: why }) => (
              <li key={`${chunkId} ${why}`}>{t.index.setAsideChunk(chunkId, why)}</li>
            ),
          )}
        </ul>
      )}
      <Remark>{t.index.hint}</Remark>
    </Panel>
  );
}
