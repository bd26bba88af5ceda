import { ParseError } from '../../errors.js';

/** Each takes a kilobyte of memory, and collecting garbage among many more takes minutes. */
const MAX_NODES = 500_000;
const [LESS_THAN, AMPERSAND, SLASH] = [0x3c, 0x26, 0x2f];

/**
 * Rejects a page with too many elements and text nodes, estimated by its start tags and character references.
 *
 * @throws ParseError `too_large`
 */
export function rejectOversizedHtml(html: string): void {
  let nodes = 0;
  for (let index = 0; index < html.length; index++) {
    const code = html.charCodeAt(index);
    if (code === AMPERSAND || (code === LESS_THAN && html.charCodeAt(index + 1) !== SLASH)) nodes++;
  }
  if (nodes <= MAX_NODES) return;
  throw new ParseError('too_large', 'The page has more than 500,000 elements; split it into smaller ones.');
}
