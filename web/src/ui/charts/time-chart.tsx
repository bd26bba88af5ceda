import { type ReactNode, useId } from 'react';
import { useFormat } from '../../language/language';
import styles from './charts.module.css';
import { highest, type Series, stackBars, sumsOf, TOP, toLine } from './series';

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
  /** The list of what a step has, if there is one. */
  links?: { of: (place: number, text: string) => ReactNode; open: (place: number) => void };
}

/** Values over time as stacked bars or as lines, with the numbers in a table that unfolds. */
export function TimeChart({
  summary,
  kind,
  series,
  times,
  timeTitle,
  numbersTitle,
  format,
  links,
}: TimeChartProps) {
  const id = useId();
  const { named } = useFormat();
  const describe = (time: string, place: number) =>
    [time, ...series.map(({ name, values }) => named(name, toText(values[place] ?? null)))].join('\n');
  const toText = (value: number | null) => (value === null ? '–' : format(value));
  const values = kind === 'bars' ? sumsOf(series) : series.flatMap((one) => one.values);
  const top = highest(values);
  const isEmpty = !values.some((value) => value);
  const step = 100 / Math.max(1, times.length);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <div className={styles.scale}>
        {!isEmpty && (
          <span className={styles.top} aria-hidden="true">
            {format(top)}
          </span>
        )}
        <svg className={styles.plot} role="img" aria-labelledby={id}>
          <title id={id}>{summary}</title>
          {!isEmpty && <line x2="100%" y1={`${100 - TOP}%`} y2={`${100 - TOP}%`} className={styles.grid} />}
          {kind === 'bars'
            ? stackBars(series).map((bars, place) => (
                <g key={times[place]} className={styles.column}>
                  {bars.map(({ tone, y, height }) => (
                    <rect
                      key={tone}
                      x={`${(place + 0.1) * step}%`}
                      y={`${y}%`}
                      width={`${0.8 * step}%`}
                      height={`${height}%`}
                      className={`${styles[tone]} ${styles.fill}`}
                    />
                  ))}
                </g>
              ))
            : series.map(({ name, ...one }) => <Line key={name} {...one} top={top} />)}
          {times.map((time, place) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: with the mouse alone, as the table has the same numbers and links
            <rect
              key={time}
              x={`${place * step}%`}
              width={`${step}%`}
              height="100%"
              className={links ? `${styles.step} ${styles.open}` : styles.step}
              onClick={links && (() => links.open(place))}
            >
              <title>{describe(time, place)}</title>
            </rect>
          ))}
        </svg>
      </div>
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
                .map((time, place) => ({
                  time,
                  place,
                  values: series.map(({ values }) => values[place] ?? null),
                }))
                .filter(({ values }) => values.some((value) => value))
                .map(({ time, place, values }) => (
                  <tr key={time}>
                    <th scope="row">{links ? links.of(place, time) : time}</th>
                    {values.map((value, at) => (
                      <td key={series[at]?.name}>{toText(value)}</td>
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

function Line({ tone, values, top }: Omit<Series, 'name'> & { top: number }) {
  const { path, points } = toLine(values, top);
  return (
    <g className={styles[tone]}>
      {/* The path alone is stretched: points stay round. */}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className={styles.stretched}>
        <path d={path} className={`${styles.line} ${styles.stroke}`} />
      </svg>
      {points.map(({ x, y }) => (
        <circle key={x} cx={`${x}%`} cy={`${y}%`} r="3" className={styles.fill} />
      ))}
    </g>
  );
}
