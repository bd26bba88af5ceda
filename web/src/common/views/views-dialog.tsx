import { useScope } from '../../api/scope';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { messages } from './messages';
import { NameForm } from './name-form';
import { storeViews, useViews, type ViewedList } from './saved-views';
import styles from './views.module.css';

/** Renames and deletes views. */
export function ViewsDialog({ list, onClose }: { list: ViewedList; onClose: () => void }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const views = useViews(list, tenantId);
  return (
    <Dialog title={t.edit} onClose={onClose}>
      <ul className={styles.rows}>
        {views.map((view) => (
          <li key={view.name} className={styles.row}>
            <NameForm
              label={t.nameOf(view.name)}
              name={view.name}
              taken={views.filter((one) => one !== view).map(({ name }) => name)}
              submit={t.rename}
              onSubmit={(name) =>
                storeViews(
                  list,
                  tenantId,
                  views.map((one) => (one === view ? { ...view, name } : one)),
                )
              }
            />
            <Button
              aria-label={t.deleteOf(view.name)}
              onClick={() =>
                storeViews(
                  list,
                  tenantId,
                  views.filter((one) => one !== view),
                )
              }
            >
              {t.delete}
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.soft}>{t.kept}</p>
      <DialogActions>
        <Button onClick={onClose}>{t.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
