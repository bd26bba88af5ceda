import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Usage, UsageList } from '../../ui/charts/usage-list';
import { Panel, Remark } from '../../ui/panel';
import { messages } from './messages';
import { useUsage } from './use-overview';

const quotas = ['documents', 'chunks', 'bytes', 'embeddedTokens', 'extractedPages'] as const;

/** What the tenant uses of its quotas. */
export function UsagePanel() {
  const t = useMessages(messages);
  const { data: usage, error, refetch, isPermitted } = useUsage();
  const format = useFormat();
  if (!usage) {
    return (
      <Panel title={t.usage}>
        {isPermitted === false && <Remark>{t.needs('documents:read')}</Remark>}
        {error && <CallError error={error} onRetry={refetch} />}
        {usage === null && <Remark>{t.partOfTenant}</Remark>}
        {isPermitted && usage === undefined && !error && <Remark>{t.loading}</Remark>}
      </Panel>
    );
  }
  return (
    <Panel title={t.usage}>
      <UsageList>
        {quotas.map((quota) => {
          const { used, limit } = usage[quota];
          const toText = quota === 'bytes' ? format.bytes : format.count;
          const text = limit === null ? toText(used) : t.used(toText(used), toText(limit));
          return <Usage key={quota} name={t.usageNames[quota]} text={text} used={used} limit={limit} />;
        })}
      </UsageList>
      <Remark>{t.usageHint}</Remark>
    </Panel>
  );
}
