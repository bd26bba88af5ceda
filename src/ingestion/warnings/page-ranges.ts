export interface PageRange {
  from: number;
  to: number;
}

/** @param pages in any order, without duplicates */
export function toRanges(pages: Iterable<number>): PageRange[] {
  const ranges: PageRange[] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === page - 1) last.to = page;
    else ranges.push({ from: page, to: page });
  }
  return ranges;
}

/** As people write them: `3, 7-9`. */
export const formatRanges = (ranges: readonly PageRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
