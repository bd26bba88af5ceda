import { normalizeGlyphText } from '../../shared/text/normalize-text.js';
import { Vocabulary } from '../pdf/hyphenation.js';
import { createLineJoiner } from '../pdf/join-lines.js';

/**
 * Paragraphs of a text that has a line for each of the page, and empty lines or form feeds between paragraphs, as programs for
 * text recognition write it. Words that were divided at the end of a line are whole again, and Han is without blanks.
 */
export function recognizedText(text: string): string {
  const paragraphs = text.split(/\n\s*\n|\f/).map((paragraph) => normalizeLines(paragraph));
  const vocabulary = new Vocabulary();
  for (const lines of paragraphs) for (const line of lines) vocabulary.add(line);
  const join = createLineJoiner(vocabulary);
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.reduce(join))
    .join('\n\n');
}

const normalizeLines = (paragraph: string): string[] =>
  paragraph
    .split('\n')
    .map((line) => normalizeGlyphText(line).trim())
    .filter((line) => line !== '');
