import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../../api/scope';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { messages } from '../messages';
import { isFiltered } from '../search-params';
import { NameForm } from './name-form';
import { isSameView, MAX_VIEWS, storeViews, useViews, viewedOf } from './saved-views';
import styles from './views.module.css';

const route = getRouteApi('/conversations');

/** Names the present filters, where no view has them. */
export function SaveView() {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const search = route.useSearch();
  const views = useViews(tenantId);
  const [isOpen, setOpen] = useState(false);
  const isSaved = views.some((view) => isSameView(view.search, search));
  if (isSaved || !(isFiltered(search) || search.q !== undefined)) return null;
  const save = (name: string) => {
    storeViews(tenantId, [...views, { name, search: viewedOf(search) }]);
    setOpen(false);
  };
  return (
    <>
      <Button kind="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.views.save}
      </Button>
      {isOpen && (
        <Dialog title={t.views.save} onClose={() => setOpen(false)}>
          {views.length >= MAX_VIEWS ? (
            <p>{t.views.full(MAX_VIEWS)}</p>
          ) : (
            <NameForm
              label={t.views.name}
              name=""
              taken={views.map(({ name }) => name)}
              submit={t.rename.save}
              onSubmit={save}
            />
          )}
          <p className={styles.soft}>{t.views.kept}</p>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t.rename.cancel}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
