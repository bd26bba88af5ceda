/** A rectangle; lengths in PDF points, y upwards. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** The directions of a text: along its line, and from a line up to the one above it. */
export interface Frame {
  cos: number;
  sin: number;
}

/** A point as seen by a reader who holds the page so that the text of the frame is upright. */
export function toFrame({ cos, sin }: Frame, x: number, y: number): [number, number] {
  return [x * cos + y * sin, y * cos - x * sin];
}

export function boxInFrame(frame: Frame, [x1, y1, x2, y2]: readonly number[]): Box {
  const [ax, ay] = toFrame(frame, x1 ?? 0, y1 ?? 0);
  const [bx, by] = toFrame(frame, x2 ?? 0, y2 ?? 0);
  return { left: Math.min(ax, bx), right: Math.max(ax, bx), bottom: Math.min(ay, by), top: Math.max(ay, by) };
}

export function boundingBox(boxes: readonly Box[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const { left, right, bottom, top } of boxes) {
    box.left = Math.min(box.left, left);
    box.right = Math.max(box.right, right);
    box.bottom = Math.min(box.bottom, bottom);
    box.top = Math.max(box.top, top);
  }
  return box;
}

export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Sorts numbers and puts those together that are no farther apart than `tolerance`; gives their means. */
export function cluster(values: readonly number[], tolerance: number): number[] {
  const groups: number[][] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && value - (group.at(-1) ?? value) <= tolerance) group.push(value);
    else groups.push([value]);
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length);
}
