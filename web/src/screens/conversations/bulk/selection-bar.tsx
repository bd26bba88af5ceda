import { useState } from 'react';
import { usePermission } from '../../../api/permission-gate';
import { useScope } from '../../../api/scope';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import { type ConversationsSearch, toConditions } from '../search-params';
import styles from './bulk.module.css';
import { type Action, actions, BulkDialog } from './bulk-dialog';
import { ExportDialog } from './export-dialog';
import { useRun } from './run';
import { countOf, type Target } from './steps';
import type { Selection } from './use-selection';

interface SelectionBarProps {
  selection: Selection;
  search: ConversationsSearch;
  totalCount: number;
}

/** What can be done with the chosen conversations. */
export function SelectionBar({ selection, search, totalCount }: SelectionBarProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const scope = useScope();
  const mayWrite = usePermission('conversations:write') ?? false;
  const isRunning = useRun() !== undefined;
  const [opened, setOpened] = useState<Action | 'export'>();
  const target: Target = selection.isAll
    ? { scope, filter: toConditions(search), count: totalCount }
    : { conversations: selection.chosen };
  const count = countOf(target);
  const close = () => setOpened(undefined);
  return (
    <section className={styles.bar} aria-label={t.bulk.title}>
      <div className={styles.barHead}>
        <strong role="status">{t.bulk.selected(count, format.count(count))}</strong>
        <Button size="small" kind="quiet" onClick={selection.clear}>
          {t.bulk.clear}
        </Button>
      </div>
      {mayWrite &&
        actions.map((action) => (
          <Button
            key={action}
            size="small"
            kind={action === 'delete' ? 'danger' : 'plain'}
            aria-haspopup="dialog"
            disabled={isRunning}
            onClick={() => setOpened(action)}
          >
            {t.bulk.actions[action]}
          </Button>
        ))}
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpened('export')}>
        {t.bulk.export.button}
      </Button>
      {opened === 'export' && <ExportDialog target={target} onClose={close} />}
      {opened !== undefined && opened !== 'export' && (
        <BulkDialog action={opened} target={target} onDone={selection.clear} onClose={close} />
      )}
    </section>
  );
}
