import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { Form } from '../ui/form';
import { SubmitButton } from '../ui/submit-button';
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
  /** Why it cannot be made yet, where something is missing that it needs. */
  reason?: string | undefined;
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
  reason,
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
          <SubmitButton kind={isDangerous ? 'danger' : 'primary'} disabled={call.isPending} reason={reason}>
            {submit}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
