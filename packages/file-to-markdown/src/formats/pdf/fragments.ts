import { nfkc } from '../../nfkc.js';
import type { FontStyle } from './fonts.js';
import { type Box, type Frame, toFrame } from './geometry.js';
import type { Run } from './run.js';
import { findStackedGlyphs } from './stacked-glyphs.js';
import { isVowelMark } from './vowel-marks.js';

/** Text on one line without a gap in it, in the frame of its own direction. */
export interface Fragment extends Box {
  text: string;
  baseline: number;
  /** Font size. */
  size: number;
  bold: boolean;
  mono: boolean;
  rtl: boolean;
  /** Place in the order of the content stream. */
  order: number;
}

/** Wider gaps, in font sizes, part two fragments. */
const GAP = 0.6;
/** Glyphs may reach back by this much: accents do, and so do kerned letters. */
const OVERLAP = 0.5;
const BLANK = 0.15;
/** A raised or lowered mark stays in its line; the next line is farther away than this share of the size. */
const SAME_LINE = 0.6;
const DESCENT = 0.2;

/** Puts runs together to fragments, each list in a frame of its own; the frame with most text comes first. */
export function toFragments(
  runs: readonly Run[],
  styleOf: (font: string) => FontStyle,
): { frame: Frame; fragments: Fragment[] }[] {
  const frames = new Map<number, { frame: Frame; builder: FragmentBuilder; length: number }>();
  const stacked = findStackedGlyphs(runs);
  for (const run of runs) {
    const origin = stacked.get(run);
    const style = origin ? { ...styleOf(run.fontName), vertical: true } : styleOf(run.fontName);
    const angle = angleOf(run, style.vertical);
    let group = frames.get(angle);
    if (!group) {
      if (!run.str.trim()) continue;
      const radians = (angle * Math.PI) / 180;
      group = {
        frame: { cos: Math.cos(radians), sin: Math.sin(radians) },
        builder: new FragmentBuilder(),
        length: 0,
      };
      frames.set(angle, group);
    }
    const [left = 0, bottom = 0] = origin ?? run.transform.slice(4);
    const [x, y] = toFrame(group.frame, left, bottom);
    group.builder.add(run, x, y, style);
    group.length += run.str.trim().length;
  }
  return [...frames.values()]
    .sort((a, b) => b.length - a.length)
    .map(({ frame, builder }) => ({ frame, fragments: builder.fragments }));
}

/** Whole degrees, and right angles where it is nearly one: scans lie a little askew. */
function angleOf({ transform: [a = 0, b = 0, c = 0, d = 0] }: Run, vertical: boolean): number {
  const degrees = vertical ? (Math.atan2(-d, -c) * 180) / Math.PI : (Math.atan2(b, a) * 180) / Math.PI;
  const right = Math.round(degrees / 90) * 90;
  const angle = Math.abs(degrees - right) < 8 ? right : Math.round(degrees);
  return ((angle % 360) + 360) % 360;
}

class FragmentBuilder {
  readonly fragments: Fragment[] = [];
  #blank = false;
  /** Length of the run that gave the last fragment its size. */
  #mainLength = 0;
  /** The place of the last run of each text, to find what is drawn twice to look bold or raised. */
  readonly #drawn = new Map<string, [number, number]>();

  add(run: Run, x: number, y: number, { bold, mono, vertical }: FontStyle): void {
    if (!run.str.trim()) {
      this.#blank ||= run.str !== '';
      return;
    }
    const [a = 0, b = 0, c = 0, d = 0] = run.transform;
    const size = (vertical ? Math.hypot(a, b) : Math.hypot(c, d)) || 1;
    const width = vertical ? run.height : run.width;
    if (this.#isDrawnTwice(run.str, x, y, size)) return;
    const isMark = isVowelMark(run.str);
    const fragment = {
      // Punctuation of vertical writing has characters of its own.
      text: vertical ? nfkc(run.str) : isMark ? run.str.trim() : run.str,
      left: x,
      right: x + width,
      baseline: y,
      bottom: y - DESCENT * size,
      top: y + (1 - DESCENT) * size,
      size,
      bold,
      mono,
      rtl: isMark || run.dir === 'rtl',
      order: this.fragments.length,
    };
    const last = this.fragments.at(-1);
    const length = run.str.trim().length;
    if (last && continues(last, fragment)) {
      // Bullets are of any size and stand at any height; a longer run beside a large letter is the text.
      const isText = Math.abs(y - last.baseline) < 0.1 * size || !/[\p{L}\p{N}]/u.test(last.text);
      append(last, fragment, this.#blank);
      if (size > last.size * 1.1 || (isText && length > this.#mainLength)) {
        last.size = size;
        last.baseline = y;
        this.#mainLength = length;
      }
    } else {
      this.fragments.push(fragment);
      this.#mainLength = length;
    }
    this.#blank = false;
  }

  #isDrawnTwice(text: string, x: number, y: number, size: number): boolean {
    const [lastX = NaN, lastY = NaN] = this.#drawn.get(text) ?? [];
    this.#drawn.set(text, [x, y]);
    return Math.abs(x - lastX) < BLANK * size && Math.abs(y - lastY) < BLANK * size;
  }
}

function continues(last: Fragment, next: Fragment): boolean {
  if (last.rtl || next.rtl) return false;
  const size = Math.max(last.size, next.size);
  const gap = next.left - last.right;
  return (
    gap > -OVERLAP * size && gap < GAP * size && Math.abs(next.baseline - last.baseline) < SAME_LINE * size
  );
}

function append(last: Fragment, next: Fragment, blank: boolean): void {
  const gap = (next.left - last.right) / Math.max(last.size, next.size);
  const isRaised = next.baseline - last.baseline > 0.2 * last.size && next.size < 0.85 * last.size;
  // The mark of a footnote after a number would make it another number.
  const isMark = isRaised && /\d$/.test(last.text) && /^\d/.test(next.text);
  last.text += (blank || gap > BLANK || isMark ? ' ' : '') + next.text;
  last.right = Math.max(last.right, next.right);
  last.bold &&= next.bold || !/[\p{L}\p{N}]/u.test(next.text);
  last.mono &&= next.mono;
  last.top = Math.max(last.top, next.top);
  last.bottom = Math.min(last.bottom, next.bottom);
}
