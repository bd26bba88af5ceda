import { type Box, boundingBox, median } from './geometry.js';

/** What has a place on the page, and one in the content stream. */
export interface PlacedBox extends Box {
  order: number;
  size: number;
  /** Characters, 0 for what has no text of its own. */
  length: number;
}

/** Edges this near are one column's. */
const ALIGNED = 2;
/** Half the least space between two columns, in font sizes. */
const CLEARANCE = 0.4;
/** Lines side by side that make columns, if they were written one column after the other, and if not. */
const MIN_LINES = 2;
const MIN_LINES_BY_ROW = 6;
/** More changes of side per line, and the text was written line by line across both. */
const MAX_SWITCHES = 0.4;
const MIN_LENGTH = 6;
const MIN_LENGTH_BY_ROW = 25;
/** Narrower columns, as a share of the region's width, are labels or list markers. */
const MIN_WIDTH = 0.12;
const MAX_CANDIDATES = 40;

/** Parts a page, or a part of it, into regions without columns, in the order in which they are read. */
export function splitRegions<T extends PlacedBox>(boxes: readonly T[], depth = 0): T[][] {
  const split = boxes.length > 3 && depth < 12 ? bestSplit(boxes) : undefined;
  if (!split) return boxes.length > 0 ? [[...boxes]] : [];
  return split.flatMap((region) => splitRegions(region, depth + 1));
}

function bestSplit<T extends PlacedBox>(boxes: readonly T[]): T[][] | undefined {
  const sorted = boxes.toSorted((a, b) => b.top - a.top);
  const { left, right } = boundingBox(boxes);
  const clearance = CLEARANCE * (median(boxes.map(({ size }) => size).filter(Boolean)) ?? 0);
  let best: { score: number; regions: T[][] } | undefined;
  for (const x of gutters(boxes, clearance)) {
    const split = splitAt(sorted, x, clearance, right - left);
    if (split.score > (best?.score ?? 0)) best = split;
  }
  return best?.regions;
}

/** Places where many lines begin to the right, or end to the left. */
function gutters(boxes: readonly Box[], clearance: number): number[] {
  const counts = new Map<number, number>();
  for (const { left, right } of boxes) {
    for (const edge of [left - clearance, right + clearance]) {
      const place = Math.round(edge / ALIGNED) * ALIGNED;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  const frequent = [...counts].filter(([, count]) => count >= MIN_LINES).sort((a, b) => b[1] - a[1]);
  return frequent.slice(0, MAX_CANDIDATES).map(([place]) => place);
}

/** Cuts at `x` where nothing crosses it and there is text on either side; what crosses stays in one piece. */
function splitAt<T extends PlacedBox>(sorted: readonly T[], x: number, clearance: number, width: number) {
  const isLeft = (box: Box) => box.right < x - clearance + ALIGNED;
  const isRight = (box: Box) => box.left > x + clearance - ALIGNED;
  const regions: T[][] = [];
  let score = 0;
  let plain: T[] = [];
  let open: T[] = [];
  const close = (isFollowed: boolean) => {
    const columns = toColumns(open.filter(isLeft), open.filter(isRight), width, isFollowed);
    if (columns) {
      if (plain.length > 0) regions.push(plain);
      regions.push(...columns.regions);
      score += columns.score;
      plain = [];
    } else plain.push(...open);
    open = [];
  };
  for (const box of sorted) {
    if (isLeft(box) || isRight(box)) open.push(box);
    else {
      close(true);
      plain.push(box);
    }
  }
  close(false);
  if (plain.length > 0) regions.push(plain);
  return { score, regions };
}

function toColumns<T extends PlacedBox>(
  left: readonly T[],
  right: readonly T[],
  width: number,
  isFollowed: boolean,
) {
  const [leftBox, rightBox] = [boundingBox(left), boundingBox(right)];
  const [bottom, top] = [Math.max(leftBox.bottom, rightBox.bottom), Math.min(leftBox.top, rightBox.top)];
  const isBeside = (box: Box) => box.top > bottom && box.bottom < top;
  const sides = [left.filter(isBeside), right.filter(isBeside)] as const;
  const lines = Math.min(...sides.map(countLines));
  const length = Math.min(...sides.map(meanLength));
  const isByColumn = switches(sides) <= 1 + MAX_SWITCHES * lines;
  if (lines < (isByColumn ? MIN_LINES : MIN_LINES_BY_ROW)) return undefined;
  if (length < (isByColumn ? MIN_LENGTH : MIN_LENGTH_BY_ROW)) return undefined;
  if (sides.some((side) => boundingBox(side).right - boundingBox(side).left < MIN_WIDTH * width))
    return undefined;
  const above = before(right, leftBox.top);
  const below = isFollowed ? after(left, rightBox.bottom) : [];
  const outside = new Set([...above, ...below]);
  const isInside = (box: T) => !outside.has(box);
  const regions = [above, left.filter(isInside), right.filter(isInside), below].filter(
    ({ length }) => length > 0,
  );
  return { score: lines, regions };
}

/** A line or two apart from the right column and above the left one, such as a date, comes before both. */
function before<T extends PlacedBox>(right: readonly T[], top: number): T[] {
  const above = right.filter((box) => box.bottom > top);
  const rest = boundingBox(right.filter((box) => box.bottom <= top));
  const isApart = boundingBox(above).bottom - rest.top > (above[0]?.size ?? 0);
  return isApart && countLines(above) <= 2 ? above : [];
}

/** What follows the left column after a gap, below the right one, belongs to the text below both. */
function after<T extends PlacedBox>(left: readonly T[], bottom: number): T[] {
  const sorted = left.toSorted((a, b) => b.top - a.top);
  const first = sorted.findIndex((box, index) => {
    const above = sorted[index - 1];
    return above !== undefined && box.top < bottom && above.bottom - box.top > box.size;
  });
  return first === -1 ? [] : sorted.slice(first);
}

/** How often the content stream changes from one side to the other. */
function switches([left, right]: readonly [readonly PlacedBox[], readonly PlacedBox[]]): number {
  const sides = [...left.map(({ order }) => [order, 0]), ...right.map(({ order }) => [order, 1])];
  sides.sort(([a = 0], [b = 0]) => a - b);
  return sides.filter(([, side], index) => index > 0 && side !== sides[index - 1]?.[1]).length;
}

function countLines(boxes: readonly Box[]): number {
  let count = 0;
  let bottom = Infinity;
  for (const box of boxes.toSorted((a, b) => b.top - a.top)) {
    const middle = (box.top + box.bottom) / 2;
    if (middle < bottom) {
      count++;
      bottom = box.bottom;
    }
  }
  return count;
}

function meanLength(boxes: readonly PlacedBox[]): number {
  return boxes.reduce((sum, { length }) => sum + length, 0) / Math.max(1, countLines(boxes));
}
