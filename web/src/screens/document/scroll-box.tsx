import type { ReactNode, Ref } from 'react';

interface ScrollBoxProps {
  /** What is in it. */
  label: string;
  className: string | undefined;
  isWaiting?: boolean;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A box with more in it than it shows, which the keyboard can scroll, too. */
export function ScrollBox({ label, className, isWaiting = false, ref, children }: ScrollBoxProps) {
  return (
    <section
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
      tabIndex={0}
      aria-label={label}
      aria-busy={isWaiting}
      className={className}
    >
      {children}
    </section>
  );
}
