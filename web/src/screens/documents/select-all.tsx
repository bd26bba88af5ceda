import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import type { Document, Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import styles from './documents.module.css';
import { messages } from './messages';
import { MAX_SELECTED, type Selection } from './use-selection';

const CSV_FIELDS = [
  'id',
  'externalId',
  'documentName',
  'title',
  'url',
  'documentType',
  'documentSubType',
  'category',
  'tenantUnitId',
  'datasetIds',
  'status',
  'enabled',
  'chunkCount',
  'sizeBytes',
  'createdTime',
  'updatedTime',
] as const;

interface SelectAllProps {
  selection: Selection;
  totalCount: number;
  readPage: (page: number) => Promise<Outputs['documents']['list']>;
  /** What else can be done with the list. */
  children: ReactNode;
}

/** How many documents there are, and a box that selects them, as many as are selected at once. */
export function SelectAll({ selection, totalCount, readPage, children }: SelectAllProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const box = useRef<HTMLInputElement>(null);
  const most = Math.min(totalCount, MAX_SELECTED);
  const { size } = selection.selected;
  const isAll = size > 0 && size >= most;
  useEffect(() => {
    if (box.current) box.current.indeterminate = size > 0 && !isAll;
  });
  const [read, setRead] = useState(0);
  const select = useMutation({
    mutationFn: async () => {
      const documents: Document[] = [];
      setRead(0);
      for (let page = 1; documents.length < most; page += 1) {
        const { items, hasNextPage } = await readPage(page);
        documents.push(...items);
        setRead(documents.length);
        if (!hasNextPage) break;
      }
      return documents;
    },
    onSuccess: selection.replace,
  });
  return (
    <div className={styles.summary}>
      <label className={styles.selectAll}>
        <input
          ref={box}
          type="checkbox"
          checked={isAll}
          disabled={select.isPending}
          onChange={() => (size > 0 ? selection.clear() : select.mutate())}
        />
        {select.isPending
          ? t.progress(format.count(read), format.count(most))
          : most < totalCount
            ? t.selectFirst(format.count(most))
            : t.selectAll}
      </label>
      <span className={styles.counted}>
        <span role="status">{t.count(totalCount, format.count(totalCount))}</span>
        {children}
        <CsvButton name="documents" fields={CSV_FIELDS} readPage={readPage} />
      </span>
      {select.error && <CallError error={select.error} />}
    </div>
  );
}
