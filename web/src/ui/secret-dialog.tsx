import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';
import { Secret } from './secret';

interface SecretDialogProps {
  title: string;
  text: string;
  label: string;
  secret: string;
  /** On the button that closes it. */
  done: string;
  onClose: () => void;
  children?: ReactNode;
}

/** A secret which is kept nowhere but on the screen: Escape leaves it open. */
export function SecretDialog({ title, text, label, secret, done, onClose, children }: SecretDialogProps) {
  return (
    <Dialog isKept title={title} onClose={onClose}>
      <p>{text}</p>
      <Secret label={label} secret={secret} />
      {children}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
