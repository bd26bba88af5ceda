import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';

const en = {
  title: 'Discard changes?',
  text: 'They are not saved yet.',
  keep: 'Keep editing',
  yes: 'Discard',
};
const zh: typeof en = { title: '放弃更改？', text: '更改尚未保存。', keep: '继续编辑', yes: '放弃' };
const messages: Dictionary<typeof en> = { en, zh };

interface DiscardDialogProps {
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks whoever leaves a form in which something has changed. */
export function DiscardDialog({ onDiscard, onKeep }: DiscardDialogProps) {
  const t = useMessages(messages);
  return (
    <Dialog title={t.title} onClose={onKeep}>
      <p>{t.text}</p>
      <DialogActions>
        <Button onClick={onKeep}>{t.keep}</Button>
        <Button kind="danger" onClick={onDiscard}>
          {t.yes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
