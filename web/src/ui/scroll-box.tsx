import type { ReactNode, Ref } from 'react';

interface ScrollBoxProps {
  /** What is in it. */
  label: string;
  className: string | undefined;
  isWaiting?: boolean;
  onScroll?: () => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A box with more in it than it shows, which the keyboard can scroll, too. */
export function ScrollBox({ label, isWaiting = false, ...rest }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields are in it
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <div {...rest} role="group" tabIndex={0} aria-label={label} aria-busy={isWaiting} />
  );
}
