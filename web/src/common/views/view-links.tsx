import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../api/scope';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { messages } from './messages';
import { SaveView } from './save-view';
import { isSameView, useViews, type ViewedList } from './saved-views';
import styles from './views.module.css';
import { ViewsDialog } from './views-dialog';

/** The saved views of a list, and a button that saves the present one. */
export function ViewsBar({ list }: { list: ViewedList }) {
  return (
    <div className={styles.bar}>
      <ViewLinks list={list} />
      <SaveView list={list} />
    </div>
  );
}

/** The saved views of a list, each a link. */
export function ViewLinks({ list }: { list: ViewedList }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const search = list.read(useSearch({ strict: false }));
  const views = useViews(list, tenantId);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {views.length > 0 && (
        <nav className={styles.views} aria-label={t.title}>
          {views.map((view) => {
            const isCurrent = isSameView(view.search, search);
            // The present one leads back to the list without filters.
            const next = isCurrent ? list.read({}) : view.search;
            return (
              <Link
                key={view.name}
                to="."
                search={(now) => ({ ...now, page: undefined, row: undefined, ...next })}
                className={styles.view}
                aria-current={isCurrent ? 'true' : undefined}
                activeOptions={{ exact: true }}
                preload={false}
              >
                {view.name}
              </Link>
            );
          })}
          <Button kind="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {t.edit}
          </Button>
        </nav>
      )}
      {isOpen && <ViewsDialog list={list} onClose={() => setOpen(false)} />}
    </>
  );
}
