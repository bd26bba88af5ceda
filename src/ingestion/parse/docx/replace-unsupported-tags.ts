/** What mammoth passes over, with what stands for it; the small readings over a text are passed over for good. */
const REPLACEMENTS: [tag: RegExp, text: string][] = [
  [/<w:cr\s*\/>/g, '<w:br/>'],
  [/<w:ptab\b[^<>]*\/>/g, '<w:tab/>'],
  [/<w:softHyphen\s*\/>/g, ''],
  [/<w:noBreakHyphen\s*\/>/g, '<w:t>-</w:t>'],
  [/<\/?w:ruby(?:Base)?>/g, ''],
];

/** The XML of a document in tags that mammoth knows; hyphens as people type them when they search. */
export function replaceUnsupportedTags(xml: string): string {
  return REPLACEMENTS.reduce((text, [tag, replacement]) => text.replace(tag, replacement), xml);
}
