import { Link, type LinkProps } from '@tanstack/react-router';
import { useCountText } from '../../common/use-count-text';
import { useMessages } from '../../language/language';
import type { ChartTone } from '../../ui/charts/series';
import { StackedBar } from '../../ui/charts/stacked-bar';
import { Remark } from '../../ui/panel';
import { messages } from './messages';
import styles from './overview.module.css';
import type { Count } from './use-overview';

interface StatusCountsProps {
  /** Where all of them are listed. */
  total: LinkProps;
  parts: readonly { key: string; name: string; tone: ChartTone; count: Count; link: LinkProps }[];
}

/** A large number, and what it is made of in small ones, but for zeros. Each leads to a list. */
export function StatusCounts({ total, parts }: StatusCountsProps) {
  const t = useMessages(messages);
  const toText = useCountText();
  const sum = sumOf(parts.map(({ count }) => count));
  const shown = parts.filter(({ count }) => count.count > 0);
  return (
    <>
      <p className={styles.total}>
        <Link {...total}>
          {toText(sum)} <span className="unseen">{t.inAll}</span>
        </Link>
      </p>
      <StackedBar parts={shown.map(({ name, tone, count }) => ({ name, tone, value: count.count }))} />
      <ul className={styles.parts}>
        {shown.map(({ key, name, tone, count, link }) => (
          <li key={key} className={styles[tone]}>
            <Link {...link}>
              <span>{name}</span> <strong>{toText(count)}</strong>
            </Link>
          </li>
        ))}
      </ul>
      {sum.isLowerBound && <Remark>{t.atLeastHint}</Remark>}
    </>
  );
}

/** Of what is still being counted, there are at least so many. */
const sumOf = (counts: readonly Count[]): Count => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  isLowerBound: counts.some(({ isLowerBound }) => isLowerBound),
});
