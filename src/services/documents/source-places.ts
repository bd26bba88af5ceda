type Place = [start: number, end: number, hash: string];

/**
 * The chunks that have text on a page, by offsets into its text.
 *
 * @param places of all chunks: both starts and ends rise from one to the next
 */
export function placesOn(
  { start: pageStart, text }: { start: number; text: string },
  places: readonly Place[],
): { ordinal: number; start: number; end: number }[] {
  const pageEnd = pageStart + text.length;
  const found = [];
  for (let ordinal = firstEndingAfter(pageStart, places); ordinal < places.length; ordinal++) {
    const [start, end] = places[ordinal] as Place;
    if (start >= pageEnd) break;
    found.push({
      ordinal,
      start: Math.max(start, pageStart) - pageStart,
      end: Math.min(end, pageEnd) - pageStart,
    });
  }
  return found;
}

function firstEndingAfter(offset: number, places: readonly Place[]): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as Place)[1] > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
