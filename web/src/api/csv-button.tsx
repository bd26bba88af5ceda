import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Dictionary, useFormat, useMessages } from '../language/language';
import { Button } from '../ui/button';
import { type CsvCell, saveFile, toCsv } from '../ui/csv';
import { showToast } from '../ui/toast';
import { CallError } from './call-error';
import { session } from './session';

const en = {
  start: 'CSV',
  title: 'Save this list as a CSV file',
  stop: (done: string, total: string) => `Stop (${done} of ${total})`,
  saved: (count: string) => `Saved as CSV, rows: ${count}`,
  first: (count: string) => `Saved as CSV: the first ${count} rows. Filter the list to save others.`,
};
const zh: typeof en = {
  start: 'CSV',
  title: '将此列表保存为 CSV 文件',
  stop: (done, total) => `停止（${done} / ${total}）`,
  saved: (count) => `已保存为 CSV，行数：${count}`,
  first: (count) => `已保存为 CSV：前 ${count} 行。要保存其他行，请筛选列表。`,
};
const messages: Dictionary<typeof en> = { en, zh };

/** More would be many requests, and much memory of the browser. */
const MAX_ROWS = 10_000;
/** Until it is known how large a page may be. */
const PAGE_SIZE = 20;

interface Page<Item> {
  items: readonly Item[];
  totalCount: number;
  hasNextPage: boolean;
}

interface CsvButtonProps<Item> {
  /** Of the file, without its end. */
  name: string;
  /** The columns, called as in the API. */
  fields: readonly (keyof Item & string)[];
  /** @param page from 1 */
  readPage: (page: number, pageSize: number) => Promise<Page<Item>>;
}

/** Saves a list with all of its pages as a CSV file, or stops that. */
export function CsvButton<Item>({ name, fields, readPage }: CsvButtonProps<Item>) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const { data: info } = useQuery(session);
  const isStopped = useRef(false);
  const [done, setDone] = useState({ rows: 0, total: 0 });
  const save = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      setDone({ rows: 0, total: 0 });
      const items: Item[] = [];
      for (let page = 1; !isStopped.current && items.length < MAX_ROWS; page += 1) {
        const read = await readPage(page, info?.server.maxPageSize ?? PAGE_SIZE);
        items.push(...read.items);
        setDone({ rows: items.length, total: Math.min(read.totalCount, MAX_ROWS) });
        if (!read.hasNextPage) return { items, isAll: true };
      }
      return { items, isAll: false };
    },
    onSuccess: ({ items, isAll }) => {
      if (isStopped.current) return;
      const rows = items.slice(0, MAX_ROWS).map((item) => fields.map((field) => toCell(item[field])));
      saveFile(`${name}.csv`, toCsv([fields, ...rows]), 'text/csv');
      showToast({ text: isAll ? t.saved(count(rows.length)) : t.first(count(rows.length)) });
    },
  });
  return (
    <>
      {save.isPending ? (
        <Button
          size="small"
          onClick={() => {
            isStopped.current = true;
          }}
        >
          {t.stop(count(done.rows), count(done.total))}
        </Button>
      ) : (
        <Button size="small" kind="quiet" title={t.title} onClick={() => save.mutate()}>
          <Download />
          {t.start}
        </Button>
      )}
      {save.error && <CallError error={save.error} />}
    </>
  );
}

/** Lists are separated by semicolons. */
function toCell(value: unknown): CsvCell {
  if (Array.isArray(value)) return value.map(String).join('; ');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? undefined : JSON.stringify(value);
}
