const ASKS_FOR_MORE = /[,;]$|\s(?:call|phone|visit)$/i;
const GOES_ON = /\s(?:and|or|the|a|an|of|to|for|from|by|at|with|&)$/i;
const ADDRESS = /\S@\S|\bhttps?:|\bwww\./i;
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;
const CAPITAL_FIRST = /^[^\p{L}]*[\p{Lu}\p{Lt}\p{Lo}]/u;

/**
 * Whether large text may be a heading by its words: it asks for nothing that follows and is no address. Of a
 * scan, which has noise as large as titles, it begins with a capital where the script has them.
 */
export function looksLikeTitle(text: string, isScan: boolean): boolean {
  if (ASKS_FOR_MORE.test(text) || ADDRESS.test(text) || HOST.test(text)) return false;
  return !isScan || CAPITAL_FIRST.test(text);
}

/** Whether a title goes on in the next line, which stood too far below to be seen as one with it. */
export function continuesTitle(text: string): boolean {
  return GOES_ON.test(text);
}
