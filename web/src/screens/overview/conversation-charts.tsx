import { Link, useNavigate } from '@tanstack/react-router';
import { useFormat, useMessages } from '../../language/language';
import type { Series } from '../../ui/charts/series';
import { TimeChart } from '../../ui/charts/time-chart';
import { Chart } from './chart';
import { messages } from './messages';
import styles from './overview.module.css';
import type { ConversationDays } from './use-overview';

/** What conversations come to, day by day. */
export function ConversationCharts({ data: { days, total } }: { data: ConversationDays }) {
  const navigate = useNavigate();
  const t = useMessages(messages).days;
  const format = useFormat();
  type Measure = Exclude<keyof typeof total, 'firstAnswers'>;
  const series = (measure: Measure, name: string, tone: Series['tone']): Series => ({
    name,
    tone,
    values: days.map((day) => day[measure]),
  });
  const sum = (measure: Measure) => format.count(total[measure]);
  const { averageMs, medianMs } = total.firstAnswers;
  const dayAt = (place: number) => ({ from: days[place]?.day, to: days[place]?.day });
  const links = {
    of: (place: number, text: string) => (
      <Link to="/conversations" search={dayAt(place)}>
        {text}
      </Link>
    ),
    open: (place: number) => void navigate({ to: '/conversations', search: dayAt(place) }),
  };
  const charts = [
    {
      title: t.conversations,
      summary: t.created(sum('conversations')),
      series: [series('conversations', t.conversations, 'accent')],
      links,
    },
    {
      title: t.messages,
      summary: t.messagesSummary(sum('userMessages'), sum('agentMessages')),
      series: [series('userMessages', t.user, 'accent'), series('agentMessages', t.agent, 'second')],
    },
    {
      title: t.tokens,
      summary: t.tokensSummary(sum('inputTokens'), sum('answerTokens')),
      series: [series('inputTokens', t.input, 'accent'), series('answerTokens', t.answer, 'second')],
    },
    {
      title: t.feedback,
      summary: t.feedbackSummary(sum('up'), sum('down')),
      series: [series('up', t.up, 'good'), series('down', t.down, 'bad')],
    },
    {
      title: t.firstAnswer,
      summary:
        medianMs === null || averageMs === null
          ? t.noAnswers
          : t.answersSummary(format.duration(medianMs), format.duration(averageMs)),
      kind: 'lines' as const,
      format: format.duration,
      series: [
        { name: t.median, tone: 'accent' as const, values: days.map((day) => day.firstAnswers.medianMs) },
        { name: t.slow, tone: 'second' as const, values: days.map((day) => day.firstAnswers.p95Ms) },
      ],
    },
  ];
  return (
    <div className={styles.charts}>
      {charts.map(({ title, summary, ...chart }) => (
        <Chart key={title} title={title} summary={summary}>
          <TimeChart
            kind="bars"
            format={format.count}
            times={days.map(({ day }) => format.day(day))}
            timeTitle={t.day}
            numbersTitle={t.numbers}
            summary={format.named(title, summary)}
            {...chart}
          />
        </Chart>
      ))}
    </div>
  );
}
