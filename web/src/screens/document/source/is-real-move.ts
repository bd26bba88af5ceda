let last: Pick<PointerEvent, 'screenX' | 'screenY'> | undefined;
let hasMoved = false;

// Before those who ask.
window.addEventListener(
  'pointermove',
  ({ screenX, screenY }) => {
    hasMoved = last?.screenX !== screenX || last.screenY !== screenY;
    last = { screenX, screenY };
  },
  { capture: true, passive: true },
);

/** Whether the pointer itself moves, asked while its event is handled: browsers also send it where the page moves under it. */
export const isRealMove = (): boolean => hasMoved;
