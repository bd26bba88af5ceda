import { useId } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { Button, type ButtonProps } from './button';
import styles from './ui.module.css';

const en = {
  unchanged: 'No changes yet',
  missing: (field: string) => `Missing: ${field}`,
};
const zh: typeof en = {
  unchanged: '尚无更改',
  missing: (field) => `缺少：${field}`,
};
const messages: Dictionary<typeof en> = { en, zh };

/** Why a form cannot be sent yet: nothing has changed, or a field, given by its label, is empty. */
export const useReasons = () => useMessages(messages);

interface SubmitButtonProps extends ButtonProps {
  /** Why it cannot be pressed yet; undefined where it can. */
  reason: string | undefined;
  /** Where there is no room beside it: the tooltip alone says why, and screen readers do. */
  isCompact?: boolean;
}

/** A button that sends a form, or says why it does not. */
export function SubmitButton({ reason, isCompact = false, disabled, ...rest }: SubmitButtonProps) {
  const id = useId();
  const isLacking = reason !== undefined;
  return (
    <>
      <Button
        type="submit"
        {...rest}
        disabled={disabled || isLacking}
        title={reason}
        aria-describedby={isLacking ? id : undefined}
      />
      {isLacking && (
        <span id={id} className={isCompact ? 'unseen' : styles.lacking}>
          {reason}
        </span>
      )}
    </>
  );
}
