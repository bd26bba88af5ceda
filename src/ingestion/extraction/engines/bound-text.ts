import type { ExtractedText } from '../extraction-engine.js';
import { tooMuch } from './ask-engine.js';

/** Of all pages. */
const MAX_CHARACTERS = 8_000_000;
export const MAX_PAGES = 10_000;

/**
 * A text as an engine answers it.
 *
 * @throws EndpointError if it has too many characters or pages
 */
export function boundText(mediaType: ExtractedText['mediaType'], pages: string[]): ExtractedText {
  if (pages.length > MAX_PAGES) throw tooMuch(`${MAX_PAGES} pages`);
  let characters = 0;
  for (const page of pages) characters += page.length;
  if (characters > MAX_CHARACTERS) throw tooMuch(`${MAX_CHARACTERS} characters`);
  return { mediaType, pages: pages.length === 0 ? [''] : pages };
}

/** Parts of a text between occurrences of a separator. Beyond the number of pages that a text may have, no more. */
export const splitPages = (text: string, separator: string): string[] => text.split(separator, MAX_PAGES + 1);
