import { isKey } from '../storage/file-storage.js';

const [TAB, LF, CR, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x5c];
const KEY_LENGTH = 36;

/**
 * Looks for keys that no storage makes in rows as COPY writes them, and for rows that COPY does not write like that, which
 * PostgreSQL might read in another way than this.
 *
 * @param place of the column with the keys, from 0
 * @returns the number of the first such row, from 1
 */
export async function findWrongKey(
  rows: AsyncIterable<Uint8Array>,
  { place, columns }: { place: number; columns: number },
): Promise<number | undefined> {
  let [row, column, isEscaped, length] = [1, 0, false, 0];
  const key = Buffer.alloc(KEY_LENGTH);
  const isRight = () => {
    const text = key.toString('latin1', 0, length);
    return column !== place || text === '\\N' || (length === KEY_LENGTH && isKey(text));
  };
  for await (const part of rows) {
    for (const byte of part) {
      const isControl = byte === TAB || byte === LF || byte === CR;
      // COPY writes a letter after the backslash.
      if (isControl && (isEscaped || byte === CR || !isRight())) return row;
      if (byte === TAB) {
        column += 1;
        length = 0;
      } else if (byte === LF) {
        if (column !== columns - 1) return row;
        [row, column, length] = [row + 1, 0, 0];
      } else if (column === place) {
        if (length === KEY_LENGTH) return row;
        key[length++] = byte;
      }
      isEscaped = byte === BACKSLASH && !isEscaped;
    }
  }
  // Each row ends its line.
  return column === 0 && length === 0 ? undefined : row;
}
