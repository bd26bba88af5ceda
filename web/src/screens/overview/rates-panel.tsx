import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { TimeChart } from '../../ui/charts/time-chart';
import { Select } from '../../ui/field';
import { Panel, Remark } from '../../ui/panel';
import { Chart } from './chart';
import { ChartsRoom } from './charts-room';
import { messages } from './messages';
import styles from './overview.module.css';
import { type Period, type Rate, useRates } from './use-overview';

const periods = ['hour', 'day'] as const satisfies Period[];

/** What was processed and searched over time, and how long searches took. */
export function RatesPanel() {
  const t = useMessages(messages).rates;
  const { partOfTenant, needs } = useMessages(messages);
  const [period, setPeriod] = useState<Period>('hour');
  const { data, error, refetch, isPermitted } = useRates(period);
  const choice = (
    <div className={styles.period}>
      <Select
        label={t.period}
        value={period}
        options={periods.map((value) => ({ value, text: t.periods[value] }))}
        onChange={(event) => setPeriod(event.target.value as Period)}
      />
    </div>
  );
  return (
    <Panel title={t.title} isWide actions={isPermitted && data?.rates !== null ? choice : undefined}>
      {isPermitted === false && <Remark>{needs('documents:read')}</Remark>}
      {error && <CallError error={error} onRetry={refetch} />}
      {isPermitted && !data && !error && <ChartsRoom count={3} />}
      {data && !data.rates && <Remark>{partOfTenant}</Remark>}
      {data?.rates && <Charts rates={data.rates} />}
    </Panel>
  );
}

function Charts({ rates }: { rates: readonly Rate[] }) {
  const t = useMessages(messages).rates;
  const format = useFormat();
  const sum = (name: 'ready' | 'failed' | 'chunks' | 'searches' | 'searchesFailed') =>
    rates.reduce((total, rate) => total + rate[name], 0);
  const shared = {
    times: rates.map(({ time }) => format.clock(time)),
    timeTitle: t.time,
    numbersTitle: t.numbers,
  };
  const last = rates.findLast(({ p50Ms }) => p50Ms !== null);
  const processed = t.processedSummary(
    format.count(sum('ready')),
    format.count(sum('failed')),
    format.count(sum('chunks')),
    sum('chunks'),
  );
  const failed = sum('searchesFailed');
  const searched = t.searchesSummary(format.count(sum('searches') - failed), format.count(failed));
  const latency = last
    ? t.latencySummary(format.duration(last.p50Ms ?? 0), format.duration(last.p95Ms ?? 0))
    : t.noSearches;
  return (
    <div className={styles.charts}>
      <Chart title={t.processed} summary={processed}>
        <TimeChart
          {...shared}
          kind="bars"
          summary={format.named(t.processed, processed)}
          format={format.count}
          series={[
            { name: t.ready, tone: 'good', values: rates.map(({ ready }) => ready) },
            { name: t.failed, tone: 'bad', values: rates.map((rate) => rate.failed) },
          ]}
        />
      </Chart>
      <Chart title={t.searches} summary={searched}>
        <TimeChart
          {...shared}
          kind="bars"
          summary={format.named(t.searches, searched)}
          format={format.count}
          series={[
            {
              name: t.answered,
              tone: 'accent',
              values: rates.map(({ searches, searchesFailed }) => searches - searchesFailed),
            },
            { name: t.failed, tone: 'bad', values: rates.map(({ searchesFailed }) => searchesFailed) },
          ]}
        />
      </Chart>
      <Chart title={t.latency} summary={latency}>
        <TimeChart
          {...shared}
          kind="lines"
          summary={format.named(t.latency, latency)}
          format={format.duration}
          series={[
            { name: t.median, tone: 'accent', values: rates.map(({ p50Ms }) => p50Ms) },
            { name: t.slow, tone: 'second', values: rates.map(({ p95Ms }) => p95Ms) },
          ]}
        />
      </Chart>
    </div>
  );
}
