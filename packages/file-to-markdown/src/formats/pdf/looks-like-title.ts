const ASKS_FOR_MORE = /[,;]$|\s(?:call|phone|visit)$/i;
const GOES_ON = /\s(?:and|or|the|a|an|of|to|for|from|by|at|with|&)$/i;
const ADDRESS = /\S@\S|\bhttps?:|\bwww\./i;
const HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+$/;
/** Where the script has no spaces, what ends as a sentence is one; a title may ask or call. */
const SENTENCE = /[。．；、，]["'”’」』）)]*$/;
/** The label of a figure or a table, and the number after it. */
const LABEL =
  /^(?:fig(?:ure|ura|\.)?|tab(?:leau|le|elle|ella|ela|la|\.)?|abb(?:ildung|\.)|exhibit|рис(?:унок|\.)|таб(?:лица|л\.)|图表?|圖表?|図表?|表格?|그림|표)\s?/iu;
const NUMBER =
  /^(?:[A-Z]?\d{1,3}(?:[.．\-–‐][A-Z\d]{1,3}){0,3}|[IVX]{1,5}|[一二三四五六七八九十]{1,3})(?![\p{Ll}\p{Lu}\p{N}%]|\s?[个個種种年月日天次张張枚人])/u;
const CAPITAL_FIRST = /^[^\p{L}]*[\p{Lu}\p{Lt}\p{Lo}]/u;

/**
 * Whether large text may be a heading by its words: it asks for nothing that follows and is no address. Of a
 * scan, which has noise as large as titles, it begins with a capital where the script has them.
 */
export function looksLikeTitle(text: string, isScan: boolean): boolean {
  if (ASKS_FOR_MORE.test(text) || ADDRESS.test(text) || HOST.test(text)) return false;
  if (SENTENCE.test(text) || isCaption(text)) return false;
  return !isScan || CAPITAL_FIRST.test(text);
}

/** Whether a text names a figure or a table: it belongs to that, not to what follows. */
function isCaption(text: string): boolean {
  const [label] = LABEL.exec(text) ?? [];
  return label !== undefined && NUMBER.test(text.slice(label.length));
}

/** Whether a title goes on in the next line, which stood too far below to be seen as one with it. */
export function continuesTitle(text: string): boolean {
  return GOES_ON.test(text);
}
