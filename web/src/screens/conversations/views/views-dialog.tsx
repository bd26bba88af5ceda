import { useScope } from '../../../api/scope';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { messages } from '../messages';
import { NameForm } from './name-form';
import { storeViews, useViews } from './saved-views';
import styles from './views.module.css';

/** Renames and deletes views. */
export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const views = useViews(tenantId);
  return (
    <Dialog title={t.views.edit} onClose={onClose}>
      <ul className={styles.rows}>
        {views.map((view) => (
          <li key={view.name} className={styles.row}>
            <NameForm
              label={t.views.nameOf(view.name)}
              name={view.name}
              taken={views.filter((one) => one !== view).map(({ name }) => name)}
              submit={t.rename.button}
              onSubmit={(name) =>
                storeViews(
                  tenantId,
                  views.map((one) => (one === view ? { ...view, name } : one)),
                )
              }
            />
            <Button
              aria-label={t.views.deleteOf(view.name)}
              onClick={() =>
                storeViews(
                  tenantId,
                  views.filter((one) => one !== view),
                )
              }
            >
              {t.remove.button}
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.soft}>{t.views.kept}</p>
      <DialogActions>
        <Button onClick={onClose}>{t.labels.done}</Button>
      </DialogActions>
    </Dialog>
  );
}
