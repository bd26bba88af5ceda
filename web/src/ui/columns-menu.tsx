import { Columns3 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import { Popover } from './popover';
import { createStore } from './store';
import styles from './ui.module.css';

const en = { columns: 'Columns', reset: 'Usual columns' };
const zh: typeof en = { columns: '列', reset: '恢复默认列' };
const messages: Dictionary<typeof en> = { en, zh };

interface ColumnsMenuProps {
  /** Under which what is chosen is kept in this browser. */
  table: string;
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
function Columns({ table, titles, shown, usual, onChange }: ColumnsMenuProps) {
  const t = useMessages(messages);
  const [chosen, setChosen] = useState<readonly string[]>(shown);
  const toggle = (column: string) => {
    const columns = Object.keys(titles).filter((one) => chosen.includes(one) !== (one === column));
    const isUsual = columns.length === usual.length && columns.every((one) => usual.includes(one));
    choose(columns, isUsual ? undefined : columns.join() || 'none');
  };
  const choose = (columns: readonly string[], asked: string | undefined) => {
    setChosen(columns);
    remember(table, asked);
    onChange(asked);
  };
  return (
    <>
      {Object.entries(titles).map(([column, title]) => (
        <label key={column} className={styles.column}>
          <input type="checkbox" checked={chosen.includes(column)} onChange={() => toggle(column)} />
          {title}
        </label>
      ))}
      <Button size="small" kind="quiet" onClick={() => choose(usual, undefined)}>
        {t.reset}
      </Button>
    </>
  );
}

/** What was chosen, as in the address, by table. */
const remembered = createStore(new Map<string, string | undefined>());

const keyOf = (table: string) => `lectern.columns.${table}`;

/** Keeps the columns in this browser, for when the address says nothing. */
function remember(table: string, columns: string | undefined): void {
  try {
    if (columns === undefined) localStorage.removeItem(keyOf(table));
    else localStorage.setItem(keyOf(table), columns);
  } catch {
    // They last until the page is closed.
  }
  remembered.set(new Map(remembered.get()).set(table, columns));
}

function recall(table: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(table)) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The columns of a table that are shown.
 *
 * @param table under which the menu keeps them
 * @param asked by the address, separated by commas; where it says nothing, those that were chosen last, else the usual ones
 */
export function useColumns<Column extends string>(
  table: string,
  asked: string | undefined,
  all: readonly Column[],
  usual: readonly string[],
): Column[] {
  const chosen = remembered.use();
  const wanted = asked ?? (chosen.has(table) ? chosen.get(table) : recall(table));
  return useMemo(
    () => all.filter((column) => (wanted?.split(',') ?? usual).includes(column)),
    [all, usual, wanted],
  );
}
