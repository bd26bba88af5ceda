import type { Block } from './blocks.js';
import { findBreak } from './cut.js';
import { sentenceEnds } from './sentences.js';

/** The smallest stretch a piece is made of: a sentence, a line of code, a table row, a heading. */
export interface Unit {
  start: number;
  end: number;
  kind: Block['kind'];
  /** A heading, a table's header, an opening fence: belongs to what follows. */
  keepWithNext: boolean;
}

/** Indentation kept before code; more is not meant to be read, and would be looked at again for every cut. */
const MAX_INDENTATION = 100;

/**
 * The units of a block, in order. Each has at most `size` characters and no white space around it, except
 * the indentation of code; what lies between two units is white space only.
 */
export function* splitUnits(text: string, block: Block, size: number): Generator<Unit> {
  let start = block.start;
  for (const end of unitEnds(text, block)) {
    const keepWithNext = start === block.start && opens(text, block);
    for (const part of fitting(text, start, end, size, block.kind))
      yield { ...part, kind: block.kind, keepWithNext };
    start = end;
  }
}

function opens(text: string, block: Block): boolean {
  if (block.kind === 'table') return block.headEnd > block.start;
  if (block.kind === 'code') return /^\s*(?:```|~~~)/.test(text.slice(block.start, block.start + 20));
  return block.kind === 'heading';
}

function* unitEnds(text: string, block: Block): Generator<number> {
  if (block.kind === 'heading') {
    yield block.end;
  } else if (block.kind === 'prose') {
    for (const end of sentenceEnds(text.slice(block.start, block.end))) yield block.start + end;
  } else {
    let position = block.kind === 'table' ? block.headEnd : block.start;
    if (position > block.start) yield position;
    while (position < block.end) {
      const newline = text.indexOf('\n', position);
      position = newline === -1 || newline >= block.end ? block.end : newline + 1;
      yield position;
    }
  }
}

function* fitting(text: string, from: number, to: number, size: number, kind: Block['kind']) {
  const range = trim(text, from, to, kind);
  while (range.start < range.end) {
    const whole = range.end - range.start <= size;
    const cut = whole ? range.end : findBreak(text, range.start, size);
    const part = trim(text, range.start, cut, kind);
    if (part.start < part.end) yield part;
    range.start = trim(text, cut, range.end, kind).start;
  }
}

function trim(text: string, from: number, to: number, kind: Block['kind']): { start: number; end: number } {
  let start = from;
  let end = to;
  while (end > start && isSpace(text, end - 1)) end--;
  while (start < end && isSpace(text, start)) start++;
  if (kind === 'code') start = indentationStart(text, from, start);
  return { start, end };
}

function indentationStart(text: string, from: number, start: number): number {
  const floor = Math.max(from, start - MAX_INDENTATION);
  let position = start;
  while (position > floor && text[position - 1] !== '\n') position--;
  return position;
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || (code < 14 && code > 8) || (code >= 0xa0 && /\s/.test(text.charAt(index)));
}
