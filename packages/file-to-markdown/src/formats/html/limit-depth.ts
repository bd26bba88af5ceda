/** More than is converted with its structure. */
const MAX_DEPTH = 300;
/** Each level of these is written before each line of Markdown within. */
const INDENTS = /^(?:blockquote|ul|ol)$/i;
const MAX_INDENTS = 30;
const TAG = /<(\/?)([a-z][\w-]*)(?:[^\w<>-][^<>]*)?>/gi;
/** Elements that end by themselves nest no deeper than those around them. */
const ENDS_BY_ITSELF =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|td|th|tr|thead|tbody|tfoot|option|optgroup|rb|rt|rtc|rp)$/i;

/**
 * Takes out tags below a depth that nobody writes: parsing and queries take time by the depth of every element, and Markdown
 * by that of lists and quotations.
 */
export function limitDepth(html: string): string {
  let depth = 0;
  /** Lists and quotations that are open, those beyond `MAX_INDENTS` included. */
  let indents = 0;
  return html.replace(TAG, (tag, slash: string, name: string) => {
    if (ENDS_BY_ITSELF.test(name)) return tag;
    if (INDENTS.test(name)) {
      const isBeyond = slash ? indents > MAX_INDENTS : indents >= MAX_INDENTS;
      indents = Math.max(0, indents + (slash ? -1 : 1));
      if (isBeyond) return '';
    }
    if (slash) depth = Math.max(0, depth - 1);
    else if (depth === MAX_DEPTH) return '';
    else depth++;
    return tag;
  });
}
