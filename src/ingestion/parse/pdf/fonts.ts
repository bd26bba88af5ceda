import type { PDFPageProxy } from 'pdfjs-dist';

export interface FontStyle {
  bold: boolean;
  mono: boolean;
  vertical: boolean;
}

interface TextStyle {
  fontFamily: string;
  vertical: boolean;
}

const PLAIN: FontStyle = { bold: false, mono: false, vertical: false };
const BOLD = /bold|black|heavy|semibd|demi|[-,_ ]bd\b|-medi\b|^(?:[A-Z]{6}\+)?(?:cm|sf|ec)(?:bx|ssbx|rmb)/i;

/** What is known of the document's fonts, by the names pdf.js gives them. */
export class FontStyles {
  readonly #styles = new Map<string, FontStyle>();

  of = (font: string): FontStyle => this.#styles.get(font) ?? PLAIN;

  isMissing(styles: Record<string, TextStyle>): boolean {
    return Object.keys(styles).some((font) => !this.#styles.has(font));
  }

  /** To be called when the page's operators have been read: only then are the names of its fonts known. */
  add(page: PDFPageProxy, styles: Record<string, TextStyle>): void {
    for (const [font, { fontFamily, vertical }] of Object.entries(styles)) {
      const name: unknown = page.commonObjs.has(font) ? page.commonObjs.get(font)?.name : '';
      const bold = typeof name === 'string' && BOLD.test(name);
      this.#styles.set(font, { bold, mono: fontFamily === 'monospace', vertical });
    }
  }
}
