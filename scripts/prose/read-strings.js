/* The texts of a file of TypeScript that people may read: its strings of several words, each with its line. */
import { parseSync } from 'vite';
import { CODE } from './read-markdown.js';

const SEVERAL_WORDS = /\p{L}\s+\p{L}+\s+\p{L}/u;

/** @returns blocks, as `readMarkdown` does */
export function readStrings(file, code) {
  const blocks = [];
  const open = [parseSync(file, code).program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const text = textOf(node);
    if (text !== undefined && SEVERAL_WORDS.test(text)) {
      const line = code.slice(0, node.start).split('\n').length;
      blocks.push({ line, text, prose: text });
    }
    open.push(...Object.values(node));
  }
  return blocks;
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked).join(CODE)
    : undefined;
}
