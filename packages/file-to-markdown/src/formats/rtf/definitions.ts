import { encodingOfCodePage } from './code-pages.js';

/** What the head of a file says about its fonts and styles. */
export class DocumentDefinitions {
  /** Of text in fonts that name no character set. */
  encoding = encodingOfCodePage(1252);
  defaultFont = 0;
  readonly fonts = new Map<number, string | undefined>();
  /** Levels of the styles that are headings, from 0. */
  readonly headings = new Map<number, number | undefined>();

  encodingOf(font: number): string {
    return this.fonts.get(font) ?? this.encoding;
  }
}
