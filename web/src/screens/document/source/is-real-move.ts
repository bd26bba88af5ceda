let last: Pick<PointerEvent, 'screenX' | 'screenY'> | undefined;

/** Whether the pointer itself has moved: browsers also send its events where the page moves under it. */
export function isRealMove({ screenX, screenY }: Pick<PointerEvent, 'screenX' | 'screenY'>): boolean {
  const hasMoved = last?.screenX !== screenX || last.screenY !== screenY;
  last = { screenX, screenY };
  return hasMoved;
}
