import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Usage, UsageList } from '../../ui/charts/usage-list';
import { Panel, Remark } from '../../ui/panel';
import { messages } from './messages';
import { useLimits } from './use-operations';

/** How much of the rate limits is used, and how many streams are open. */
export function LimitsPanel() {
  const t = useMessages(messages).limits;
  const { loading } = useMessages(messages);
  const format = useFormat();
  const { data, error, refetch } = useLimits();
  return (
    <Panel isWide title={t.title}>
      {error && <CallError error={error} onRetry={refetch} />}
      {!data && !error && <Remark>{loading}</Remark>}
      {data && (
        <>
          {data.rates.length === 0 && <Remark>{t.none}</Remark>}
          <UsageList>
            {data.rates.map(({ policy, unit, amount, seconds, remaining, resetSeconds }) => {
              const toText = unit === 'requests' ? format.count : format.bytes;
              const used = amount - remaining;
              const text = t.used(toText(used), toText(amount), seconds);
              return (
                <Usage
                  key={policy}
                  name={t.policies[policy] ?? policy}
                  text={remaining === 0 ? `${text} · ${t.reset(resetSeconds)}` : text}
                  used={used}
                  limit={amount}
                />
              );
            })}
            {data.streams.map(({ subject, open, limit }) => (
              <Usage
                key={subject}
                name={format.named(t.streams, t.subjects[subject])}
                text={t.open(format.count(open), format.count(limit))}
                used={open}
                limit={limit}
              />
            ))}
          </UsageList>
          <Remark>{t.hint}</Remark>
        </>
      )}
    </Panel>
  );
}
