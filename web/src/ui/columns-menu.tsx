import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import { Popover } from './popover';
import styles from './ui.module.css';

const en = { columns: 'Columns', reset: 'Usual columns' };
const zh: typeof en = { columns: '列', reset: '恢复默认列' };
const messages: Dictionary<typeof en> = { en, zh };

interface ColumnsMenuProps {
  /** Those that can be left out, with their titles. */
  titles: Record<string, string>;
  shown: readonly string[];
  /** Those that are shown where the address says nothing. */
  usual: readonly string[];
  /** @param columns as in the address; undefined are the usual ones */
  onChange: (columns: string | undefined) => void;
}

/** Chooses the columns of a table. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  const t = useMessages(messages);
  return (
    <Popover size="small" kind="quiet" title={t.columns} content={() => <Columns {...props} />}>
      <Columns3 />
      {t.columns}
    </Popover>
  );
}

/** What is chosen is known here at once, and in the address a moment later. */
function Columns({ titles, shown, usual, onChange }: ColumnsMenuProps) {
  const t = useMessages(messages);
  const [chosen, setChosen] = useState<readonly string[]>(shown);
  const toggle = (column: string) => {
    const columns = Object.keys(titles).filter((one) => chosen.includes(one) !== (one === column));
    const isUsual = columns.length === usual.length && columns.every((one) => usual.includes(one));
    setChosen(columns);
    onChange(isUsual ? undefined : columns.join() || 'none');
  };
  const reset = () => {
    setChosen(usual);
    onChange(undefined);
  };
  return (
    <>
      {Object.entries(titles).map(([column, title]) => (
        <label key={column} className={styles.column}>
          <input type="checkbox" checked={chosen.includes(column)} onChange={() => toggle(column)} />
          {title}
        </label>
      ))}
      <Button size="small" kind="quiet" onClick={reset}>
        {t.reset}
      </Button>
    </>
  );
}

/**
 * The columns of a table that are shown.
 *
 * @param asked by the address, separated by commas; where it says nothing, the usual ones
 */
export const shownColumns = <Column extends string>(
  asked: string | undefined,
  all: readonly Column[],
  usual: readonly string[],
): Column[] => all.filter((column) => (asked?.split(',') ?? usual).includes(column));
