import { encodingOfCharset, encodingOfCodePage } from './code-pages.js';
import type { DocumentDefinitions } from './definitions.js';
import { type GroupState, PLAIN_PARAGRAPH } from './state.js';

const MAX_LIST_DEPTH = 8;
const BODY_TEXT = 9;

type Apply = (state: GroupState, value: number | undefined, definitions: DocumentDefinitions) => void;

/** Applies a control word that changes how the text after it is read; others are passed over. */
export function applyProperty(
  name: string,
  value: number | undefined,
  state: GroupState,
  definitions: DocumentDefinitions,
): void {
  if (Object.hasOwn(PROPERTIES, name)) PROPERTIES[name]?.(state, value, definitions);
}

const PROPERTIES: Record<string, Apply> = {
  ansicpg: (_, value = 1252, definitions) => {
    definitions.encoding = encodingOfCodePage(value);
  },
  mac: (_, __, definitions) => {
    definitions.encoding = encodingOfCodePage(10000);
  },
  deff: (state, value = 0, definitions) => {
    definitions.defaultFont = value;
    state.font = value;
  },
  f: (state, value = 0) => {
    state.font = value;
  },
  fcharset: (state, value = 0, { fonts }) => {
    if (state.table === 'fonts') fonts.set(state.font, encodingOfCharset(value));
  },
  cpg: (state, value = 0, { fonts }) => {
    if (state.table === 'fonts') fonts.set(state.font, encodingOfCodePage(value));
  },
  plain: (state, _, { defaultFont }) => {
    state.font = defaultFont;
    state.isHidden = false;
  },
  v: (state, value) => {
    state.isHidden = value !== 0;
  },
  deleted: (state, value) => {
    state.isHidden = value !== 0;
  },
  uc: (state, value = 1) => {
    state.fallbackLength = Math.max(0, value);
  },
  pard: (state) => {
    Object.assign(state, PLAIN_PARAGRAPH);
  },
  s: (state, value = 0, { headings }) => {
    state.style = value;
    if (state.table !== 'styles') state.outline = headings.get(value);
  },
  outlinelevel: (state, value = BODY_TEXT, { headings }) => {
    const level = value >= 0 && value < BODY_TEXT ? value : undefined;
    if (state.table !== 'styles') state.outline = level;
    else if (state.style !== undefined) headings.set(state.style, level);
  },
  ilvl: (state, value = 0) => {
    state.depth = Math.min(MAX_LIST_DEPTH, Math.max(0, value));
  },
  intbl: (state) => {
    state.inTable = true;
  },
  itap: (state, value = 0) => {
    state.inTable = value > 0;
  },
  pagebb: (state, value) => {
    state.startsPage = value !== 0;
  },
};
