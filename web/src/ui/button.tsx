import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import styles from './ui.module.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'normal' | 'small' | 'icon';
}

/** A button; it submits a form only where its type says so. */
export function Button({
  kind = 'plain',
  size = 'normal',
  type = 'button',
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const names = [
    styles.button,
    kind !== 'plain' && styles[kind],
    size !== 'normal' && styles[size],
    className,
  ];
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click comes before anything is disabled, and would send a form twice.
    if (type === 'submit' && event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return <button {...rest} type={type} className={names.filter(Boolean).join(' ')} onClick={click} />;
}
