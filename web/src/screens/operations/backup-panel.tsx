import { CallError } from '../../api/call-error';
import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { Panel, Remark } from '../../ui/panel';
import { TimeIn } from '../../ui/time';
import { messages } from './messages';
import { useLastBackup } from './use-operations';

/** When the last backup was made, which is of all tenants. */
export function BackupPanel() {
  const { needs, loading, backup: t } = useMessages(messages);
  const { data, error, refetch, isPermitted } = useLastBackup();
  const last = data?.backup;
  return (
    <Panel title={t.title} actions={last?.isOverdue && <Badge tone="busy">{t.overdue}</Badge>}>
      {isPermitted === false && <Remark>{needs('operations')}</Remark>}
      {error && <CallError error={error} onRetry={refetch} />}
      {isPermitted && !data && !error && <Remark>{loading}</Remark>}
      {data && (
        <>
          {last ? (
            <p>
              <TimeIn iso={last.lastTime} say={t.last} />
            </p>
          ) : (
            <p>{t.none}</p>
          )}
          <Remark>
            {t.hint} <a href={t.guidePath}>{t.guide}</a>
          </Remark>
        </>
      )}
    </Panel>
  );
}
