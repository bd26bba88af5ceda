/** Scrolls a box, and nothing around it, to what is lit up in it, unless that is to be seen already. */
export function scrollToLit(box: HTMLElement | null): void {
  const lit = box?.querySelector('[data-lit]');
  if (!box || !lit) return;
  const [outer, inner] = [box.getBoundingClientRect(), lit.getBoundingClientRect()];
  // A part of the box may be outside of the window.
  const [top, bottom] = [Math.max(outer.top, 0), Math.min(outer.bottom, window.innerHeight)];
  const isSeen = bottom <= top || (inner.top < bottom - 20 && inner.bottom > top + 20);
  if (!isSeen) box.scrollTo({ top: box.scrollTop + inner.top - outer.top - outer.height / 4 });
}
