import type { ButtonHTMLAttributes } from 'react';
import styles from './ui.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'normal' | 'small';
}

/** A button; it submits a form only where its type says so. */
export function Button({
  kind = 'plain',
  size = 'normal',
  type = 'button',
  className,
  ...rest
}: ButtonProps) {
  const names = [
    styles.button,
    kind !== 'plain' && styles[kind],
    size === 'small' && styles.small,
    className,
  ];
  return <button {...rest} type={type} className={names.filter(Boolean).join(' ')} />;
}
