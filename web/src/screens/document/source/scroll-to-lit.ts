/** Scrolls a box, and nothing around it, to what is lit up in it, unless that is to be seen already. */
export function scrollToLit(box: HTMLElement | null): void {
  const lit = box?.querySelector('[data-lit]');
  if (!box || !lit) return;
  const [outer, inner] = [box.getBoundingClientRect(), lit.getBoundingClientRect()];
  const isSeen = inner.top < outer.bottom - 20 && inner.bottom > outer.top + 20;
  if (!isSeen) box.scrollTo({ top: box.scrollTop + inner.top - outer.top - outer.height / 4 });
}
