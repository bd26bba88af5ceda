import { type ReactNode, useId, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button';
import styles from './ui.module.css';

interface PopoverProps extends Omit<ButtonProps, 'popoverTarget' | 'content'> {
  /** Of what opens, for screen readers. */
  title: string;
  /** What opens, rendered while it is open. */
  content: (close: () => void) => ReactNode;
}

/** A button, and what it opens beside it. The browser closes that, by Escape or a click elsewhere. */
export function Popover({ title, content, ...rest }: PopoverProps) {
  const id = useId();
  const ref = useRef<HTMLFieldSetElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...rest} popoverTarget={id} />
      <fieldset
        ref={ref}
        id={id}
        popover="auto"
        className={styles.popover}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <legend className="unseen">{title}</legend>
        {isOpen && content(() => ref.current?.hidePopover())}
      </fieldset>
    </>
  );
}
