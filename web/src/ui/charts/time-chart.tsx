import { useId } from 'react';
import styles from './charts.module.css';
import { HEIGHT, highest, linePath, type Series, stackBars, WIDTH } from './series';

interface TimeChartProps {
  /** Says in words what is drawn. */
  summary: string;
  kind: 'bars' | 'lines';
  series: readonly Series[];
  /** When each step begins, as it is shown. */
  times: readonly string[];
  /** Of the table with the numbers. */
  timeTitle: string;
  numbersTitle: string;
  format: (value: number) => string;
}

/** Values over time as stacked bars or as lines, with the numbers in a table that unfolds. */
export function TimeChart({ summary, kind, series, times, timeTitle, numbersTitle, format }: TimeChartProps) {
  const id = useId();
  const top = highest(series.flatMap(({ values }) => values));
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <svg
        className={styles.plot}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
      >
        <title id={id}>{summary}</title>
        {kind === 'bars'
          ? stackBars(series).map(({ tone, ...bar }) => (
              <rect key={`${bar.x} ${bar.y}`} {...bar} className={`${styles[tone]} ${styles.fill}`} />
            ))
          : series.map(({ name, tone, values }) => (
              <path
                key={name}
                d={linePath(values, top)}
                className={`${styles.line} ${styles[tone]} ${styles.stroke}`}
              />
            ))}
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{times[0]}</span>
        <span>{times.at(-1)}</span>
      </div>
      {series.length > 1 && (
        <div className={styles.legend} aria-hidden="true">
          {series.map(({ name, tone }) => (
            <span key={name} className={`${styles.key} ${styles[tone]}`}>
              {name}
            </span>
          ))}
        </div>
      )}
      <details className={styles.numbers}>
        <summary>{numbersTitle}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <section className={styles.scroll} tabIndex={0} aria-label={numbersTitle}>
          <table>
            <thead>
              <tr>
                <th scope="col">{timeTitle}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times
                .map((time, place) => ({ time, values: series.map(({ values }) => values[place] ?? null) }))
                .filter(({ values }) => values.some((value) => value))
                .map(({ time, values }) => (
                  <tr key={time}>
                    <th scope="row">{time}</th>
                    {values.map((value, place) => (
                      <td key={series[place]?.name}>{value === null ? '–' : format(value)}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
