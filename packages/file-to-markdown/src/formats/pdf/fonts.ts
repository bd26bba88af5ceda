import type { PDFPageProxy } from 'pdfjs-dist';
import { FontCharacters, type FontDescription } from './font-characters.js';

export interface FontStyle {
  name: string;
  bold: boolean;
  mono: boolean;
  vertical: boolean;
}

interface TextStyle {
  fontFamily: string;
  vertical: boolean;
}

const PLAIN: FontStyle = { name: '', bold: false, mono: false, vertical: false };
const BOLD = /bold|black|heavy|semibd|demi|[-,_ ]bd\b|-medi\b|^(?:[A-Z]{6}\+)?(?:cm|sf|ec)(?:bx|ssbx|rmb)/i;

/** What is known of the document's fonts, by the names pdf.js gives them. */
export class FontStyles {
  readonly #styles = new Map<string, FontStyle>();
  readonly #characters = new Map<string, FontCharacters>();
  readonly #units = new Map<string, number>();

  of = (font: string): FontStyle => this.#styles.get(font) ?? PLAIN;
  charactersOf = (font: string): FontCharacters | undefined => this.#characters.get(font);
  /** A unit of the widths of its glyphs, in font sizes. */
  unitOf = (font: string): number => this.#units.get(font) ?? 0.001;

  isMissing(styles: Record<string, TextStyle>): boolean {
    return Object.keys(styles).some((font) => !this.#styles.has(font));
  }

  /** To be called when the page's operators have been read: only then are its fonts known. */
  add(page: PDFPageProxy, styles: Record<string, TextStyle>): void {
    for (const [font, { fontFamily, vertical }] of Object.entries(styles)) {
      if (this.#styles.has(font)) continue;
      const description: (FontDescription & { fontMatrix?: number[] }) | null = page.commonObjs.has(font)
        ? page.commonObjs.get(font)
        : null;
      const name = typeof description?.name === 'string' ? description.name : '';
      this.#styles.set(font, { name, bold: BOLD.test(name), mono: fontFamily === 'monospace', vertical });
      if (!description) continue;
      this.#characters.set(font, new FontCharacters(description));
      this.#units.set(font, description.fontMatrix?.[0] ?? 0.001);
    }
  }
}
