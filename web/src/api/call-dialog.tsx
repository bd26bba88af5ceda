import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { Form } from '../ui/form';
import { CallError } from './call-error';

interface CallDialogProps {
  title: string;
  /** On the buttons. */
  cancel: string;
  submit: string;
  /** Whether the call takes something away. */
  isDangerous?: boolean;
  /** The state of the call. */
  call: { isPending: boolean; error: unknown };
  /** Whether something is missing that the call needs. */
  isIncomplete?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that makes a call, and says why it failed. */
export function CallDialog({
  title,
  cancel,
  submit,
  isDangerous = false,
  call,
  isIncomplete = false,
  onSubmit,
  onClose,
  children,
}: CallDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={onSubmit}>
        {children}
        {call.error !== null && <CallError error={call.error} />}
        <DialogActions>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            type="submit"
            kind={isDangerous ? 'danger' : 'primary'}
            disabled={call.isPending || isIncomplete}
          >
            {submit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
