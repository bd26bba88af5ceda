import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../api/scope';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { messages } from './messages';
import { NameForm } from './name-form';
import { isSameView, MAX_VIEWS, storeViews, useViews, type ViewedList } from './saved-views';
import styles from './views.module.css';

/** Names the present filters, where there are some that no view has. */
export function SaveView({ list }: { list: ViewedList }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const search = list.read(useSearch({ strict: false }));
  const views = useViews(list, tenantId);
  const [isOpen, setOpen] = useState(false);
  const isSaved = views.some((view) => isSameView(view.search, search));
  if (isSaved || Object.values(search).every((value) => value === undefined)) return null;
  const save = (name: string) => {
    storeViews(list, tenantId, [...views, { name, search }]);
    setOpen(false);
  };
  return (
    <>
      <Button kind="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.save}
      </Button>
      {isOpen && (
        <Dialog title={t.save} onClose={() => setOpen(false)}>
          {views.length >= MAX_VIEWS ? (
            <p>{t.full(MAX_VIEWS)}</p>
          ) : (
            <NameForm
              label={t.name}
              name=""
              taken={views.map(({ name }) => name)}
              submit={t.submit}
              onSubmit={save}
            />
          )}
          <p className={styles.soft}>{t.kept}</p>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t.cancel}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
