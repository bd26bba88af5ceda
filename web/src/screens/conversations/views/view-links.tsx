import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../../api/scope';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import { isSameView, useViews } from './saved-views';
import styles from './views.module.css';
import { ViewsDialog } from './views-dialog';

const route = getRouteApi('/conversations');

/** The saved views of the tenant, each a link. */
export function ViewLinks() {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const search = route.useSearch();
  const views = useViews(tenantId);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {views.length > 0 && (
        <nav className={styles.views} aria-label={t.views.title}>
          {views.map((view) => (
            <Link
              key={view.name}
              from="/conversations"
              to="/conversations"
              search={({ tenant, unit, conversation }) => ({ tenant, unit, conversation, ...view.search })}
              className={styles.view}
              aria-current={isSameView(view.search, search) ? 'true' : undefined}
              activeOptions={{ exact: true }}
              preload={false}
            >
              {view.name}
            </Link>
          ))}
          <Button kind="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {t.views.edit}
          </Button>
        </nav>
      )}
      {isOpen && <ViewsDialog onClose={() => setOpen(false)} />}
    </>
  );
}
