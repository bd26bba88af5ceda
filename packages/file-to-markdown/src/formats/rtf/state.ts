import type { ParagraphStyle, TextBuilder } from './text-builder.js';

/** What a group inherits from the one around it, and gives back at its end. */
export interface GroupState extends ParagraphStyle {
  /** Where text goes; undefined where it is none of the document's. */
  out: TextBuilder | undefined;
  /** Called with the text of the group that opened `out`. */
  onEnd: ((text: string) => void) | undefined;
  /** Tables in which control words define rather than apply. */
  table: 'fonts' | 'styles' | undefined;
  /** Where the text of a shape goes, and that of an alternative in Unicode. */
  shapeOut: TextBuilder | undefined;
  unicodeOut: TextBuilder | undefined;
  font: number;
  style: number | undefined;
  isHidden: boolean;
  /** Characters after one in Unicode that stand there for old readers. */
  fallbackLength: number;
}

export const PLAIN_PARAGRAPH = {
  inTable: false,
  outline: undefined,
  depth: 0,
  startsPage: false,
  style: undefined,
};

export function initialState(out: TextBuilder): GroupState {
  return {
    ...PLAIN_PARAGRAPH,
    out,
    onEnd: undefined,
    table: undefined,
    shapeOut: undefined,
    unicodeOut: undefined,
    font: 0,
    isHidden: false,
    fallbackLength: 1,
  };
}
