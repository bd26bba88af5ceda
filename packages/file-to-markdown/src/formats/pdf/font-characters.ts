import { nfkc } from '../../nfkc.js';
import { GLYPH_NAMES } from './glyph-names.js';
import { type GlyphOrder, orderOf } from './glyph-order.js';

/** A font as pdf.js describes it, with the properties that only some kinds of fonts have. */
export interface FontDescription {
  name?: unknown;
  composite?: boolean;
  missingFile?: boolean;
  differences?: (string | undefined)[];
  /** The characters of its codes; without `_map` the codes stand for themselves. */
  toUnicode?: { _map?: Record<number, string | undefined> };
}

/** What stands for a glyph whose character nobody knows. */
export const UNKNOWN = '\ufffd';

const UNMAPPED = /^[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
const UNMAPPED_WITHIN = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
const SPACE = /^\s/;
/** Codes at one distance from their characters that show where the others are. */
const MIN_AGREEING = 5;
const MIN_AGREEMENT = 0.9;
/** Glyphs of an unnamed font that are enough to decide whether they are in the usual order. */
const MIN_SAMPLE = 6;
const MAX_SAMPLE = 5000;
/** Glyphs up to this one are blank, or stand for what is missing. */
const LAST_BLANK_GLYPH = 3;
const LIGATURE = /^ff[il]?$|^f[il]$/;

/** The characters of a font's glyphs by their codes. */
export class FontCharacters {
  /** Whether one of them is the soft hyphen, which pdf.js leaves out. */
  readonly hasSoftHyphen: boolean;
  /** Whether the file takes a ligature for another character than its name says. */
  readonly hasWrongLigature: boolean;
  /** Whether the file maps none of them. */
  readonly isUnmapped: boolean;
  readonly #map: Record<number, string | undefined> | undefined;
  readonly #names: FontDescription['differences'];
  readonly #isComposite: boolean;
  /** What to add to a code that the file does not map. */
  readonly #offset: number | undefined;
  #mapped: Set<string> | undefined;
  /** Codes of an unmapped font until they are enough. */
  #sample: number[] = [];
  #order: GlyphOrder | undefined;
  #areGlyphs = false;

  constructor({ composite, differences, missingFile, toUnicode }: FontDescription) {
    this.#map = toUnicode?._map;
    this.#isComposite = composite === true && missingFile !== true;
    this.#names = composite ? undefined : differences;
    this.hasSoftHyphen = Object.values(this.#map ?? {}).includes('\u00ad');
    this.hasWrongLigature = Object.entries(this.#map ?? {}).some(([code, mapped = '']) =>
      this.#isWrongLigature(Number(code), mapped),
    );
    this.isUnmapped = Boolean(composite && toUnicode && !this.#map);
    this.#offset = composite ? offsetOf(this.#map ?? {}) : undefined;
  }

  /** Takes note of the codes a page uses, to find in which order the glyphs of an unmapped font are. */
  sample(codes: readonly number[]): void {
    if (!this.isUnmapped || this.#order) return;
    this.#sample.push(...codes.slice(0, 1000));
    // Codes that are characters would have no controls among them.
    this.#areGlyphs ||= this.#sample.some((code) => code < 32);
    if (this.#sample.length < MIN_SAMPLE) return;
    this.#order = orderOf(this.#sample);
    if (this.#order || this.#sample.length > MAX_SAMPLE) this.#sample = [];
  }

  /** Whether pdf.js may have taken codes for characters in this text. */
  hasUntold(text: string): boolean {
    if (this.isUnmapped || this.hasWrongLigature || UNMAPPED_WITHIN.test(text)) return true;
    if (!this.#isComposite || !this.#map) return false;
    this.#mapped ??= new Set(Object.values(this.#map).flatMap((characters) => [...nfkc(characters ?? '')]));
    return [...nfkc(text)].some((character) => !SPACE.test(character) && !this.#mapped?.has(character));
  }

  /** @param mapped what pdf.js takes the code for */
  of(code: number, mapped: string): string {
    if (this.isUnmapped) {
      if (this.#order) return this.#order(code) ?? UNKNOWN;
      return this.#areGlyphs ? UNKNOWN : mapped;
    }
    const isMapped = this.#map?.[code] !== undefined;
    if (isMapped && !UNMAPPED.test(mapped) && !this.#isWrongLigature(code, mapped)) return mapped;
    const character = this.#byName(code) ?? (isMapped ? undefined : this.#byOffset(code));
    if (character !== undefined) return character;
    if (this.#isComposite && this.#map && !isMapped) return code <= LAST_BLANK_GLYPH ? ' ' : UNKNOWN;
    return UNMAPPED.test(mapped) && !/\p{Co}/u.test(mapped) && !SPACE.test(mapped) ? UNKNOWN : mapped;
  }

  #isWrongLigature(code: number, mapped: string): boolean {
    return LIGATURE.test(this.#names?.[code] ?? '') && !/^\p{L}/u.test(mapped);
  }

  #byName(code: number): string | undefined {
    const [name = ''] = this.#names?.[code]?.split('.') ?? [];
    return GLYPH_NAMES[name] ?? (/^[A-Za-z]$/.test(name) ? name : undefined);
  }

  #byOffset(code: number): string | undefined {
    if (this.#offset === 0) return code <= 0xffff ? String.fromCharCode(code) : undefined;
    const character = this.#offset === undefined ? 0 : code + this.#offset;
    return character >= 0x20 && character < 0x7f ? String.fromCharCode(character) : undefined;
  }
}

/** The distance of the codes from the ASCII characters they stand for, where it is one for nearly all. */
function offsetOf(map: Record<number, string | undefined>): number | undefined {
  const counts = new Map<number, number>();
  let total = 0;
  for (const [code, character = ''] of Object.entries(map)) {
    if (!/^[ -~]$/.test(character) && character !== String.fromCharCode(Number(code))) continue;
    const offset = character.charCodeAt(0) - Number(code);
    counts.set(offset, (counts.get(offset) ?? 0) + 1);
    total++;
  }
  const [offset, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0]);
  return count >= MIN_AGREEING && count >= MIN_AGREEMENT * total ? offset : undefined;
}
