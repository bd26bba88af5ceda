import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { messages as shellMessages } from '../messages';
import { screens } from '../screens';
import styles from '../shell.module.css';
import { messages } from './messages';

/** What Lectern is, and the keys with what they do. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages(messages);
  const shell = useMessages(shellMessages);
  const shortcuts = [
    ...screens.map(({ keys, path }) => [keys, shell.screens[path]] as const),
    ...Object.entries(t.shortcuts),
  ];
  return (
    <Dialog title={shell.help} onClose={onClose}>
      <p>{t.about}</p>
      <h3>{t.keyboard}</h3>
      <dl className={styles.keys}>
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={onClose}>{t.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
