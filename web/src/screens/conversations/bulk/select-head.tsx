import { useEffect, useRef } from 'react';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import styles from './bulk.module.css';
import type { Selection } from './use-selection';

interface SelectHeadProps {
  selection: Selection;
  /** Conversations of the page, and all that match. */
  onPage: number;
  totalCount: number;
}

/** Chooses the page, and then all that the filters match. */
export function SelectHead({ selection, onPage, totalCount }: SelectHeadProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const box = useRef<HTMLInputElement>(null);
  const { chosen, isAll } = selection;
  const isPage = chosen.length > 0 && chosen.length === onPage;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen.length > 0 && !isPage;
  });
  const total = format.count(totalCount);
  return (
    <div className={styles.head}>
      <label className={styles.headLabel}>
        <input
          ref={box}
          type="checkbox"
          checked={isPage}
          onChange={() => (isPage ? selection.clear() : selection.choosePage())}
        />
        {t.bulk.selectPage}
      </label>
      {isPage && !isAll && totalCount > onPage && (
        <Button size="small" onClick={selection.chooseAll}>
          {t.bulk.selectAll(total)}
        </Button>
      )}
    </div>
  );
}
