/** Longest words that are compared. */
const MAX_LENGTH = 64;
const rows = Array.from({ length: 3 }, () => new Uint8Array(MAX_LENGTH + 1));

/**
 * How many letters have to be inserted, deleted, replaced or swapped with their neighbour to make one word of another: the
 * optimal string alignment distance (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
 *
 * @returns more than `most` where that is not enough
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > MAX_LENGTH) return most + 1;
  let [before, last, next] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  let leastOfLast = 0;
  for (let i = 1; i <= a.length; i++) {
    // Beyond so many places from the diagonal more edits are needed (Ukkonen, 1985).
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)];
    next[from - 1] = from === 1 ? i : most + 1;
    let least = next[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let distance = Math.min(
        (last[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) distance = Math.min(distance, (before[j - 2] as number) + 1);
      next[j] = distance;
      least = Math.min(least, distance);
    }
    if (to < b.length) next[to + 1] = most + 1;
    // A swap may still lower what the row before has.
    if (least > most && leastOfLast > most - 1) return most + 1;
    leastOfLast = least;
    [before, last, next] = [last, next, before];
  }
  return last[b.length] as number;
}
