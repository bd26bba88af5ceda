import { EVEN_PAGE_BREAK, ODD_PAGE_BREAK, PAGE_BREAK, RENDERED_BREAK } from '../page-breaks.js';

const TAGS =
  /<\/?w:pPr\b[^<>]*>|<w:pageBreakBefore\b[^<>]*>|<w:sectPr\b[^<>]*>|<\/w:p>|<w:lastRenderedPageBreak\s*\/>|<w:br\s(?=[^<>]*w:type="page")[^<>]*>/g;
const SECTION_TAGS = /<w:sectPr\b[^<>]*>|<w:type\s[^<>]*w:val="(\w+)"/g;
const OFF = /w:val="(?:0|false|off)"/;
/** How a section may begin, where it does not go on within a page. */
const SECTION_BREAKS = new Map([
  ['nextPage', PAGE_BREAK],
  ['oddPage', ODD_PAGE_BREAK],
  ['evenPage', EVEN_PAGE_BREAK],
]);

/**
 * Puts marks as text into the XML of a document wherever a page ends: breaks that somebody made, paragraphs that
 * begin a page, ends of sections, and where Word last broke pages by itself.
 */
export function markPageBreaks(xml: string): string {
  const beginnings = sectionBeginnings(xml);
  let sections = 0;
  let paragraphs = 0;
  let inProperties = 0;
  let before = '';
  let after = '';
  return xml.replace(TAGS, (tag) => {
    if (tag.startsWith('<w:lastRendered')) return asText(RENDERED_BREAK);
    if (tag.startsWith('<w:br')) return asText(PAGE_BREAK);
    if (tag.startsWith('<w:sectPr')) {
      sections++;
      if (inProperties > 0) after = beginnings[sections] ?? '';
    } else if (tag === '</w:pPr>') {
      inProperties--;
      const marked = tag + asRun(before);
      before = '';
      return marked;
    } else if (tag.startsWith('<w:pPr')) {
      if (!tag.endsWith('/>')) inProperties++;
    } else if (tag === '</w:p>') {
      paragraphs++;
      const marked = asRun(after) + tag;
      after = '';
      return marked;
    } else if (inProperties > 0 && paragraphs > 0 && !OFF.test(tag)) {
      before = PAGE_BREAK;
    }
    return tag;
  });
}

/** The mark at the beginning of each section, whose properties stand at its end. */
function sectionBeginnings(xml: string): string[] {
  const beginnings: string[] = [];
  for (const [, type] of xml.matchAll(SECTION_TAGS)) {
    if (type === undefined) beginnings.push(PAGE_BREAK);
    else if (beginnings.length > 0) beginnings[beginnings.length - 1] = SECTION_BREAKS.get(type) ?? '';
  }
  return beginnings;
}

function asText(mark: string): string {
  return mark && `<w:t>${mark}</w:t>`;
}

function asRun(mark: string): string {
  return mark && `<w:r>${asText(mark)}</w:r>`;
}
