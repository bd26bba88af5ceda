import { rowsToMarkdown } from '../../shared/tables/row-groups.js';
import { isInlineValue, isRecord, isScalar, recordsToTable, scalarText } from './record-table.js';

/** What is nested deeper has no names worth keeping, only its values. */
const MAX_DEPTH = 60;
/** Longer keys outweigh what is below them. */
const MAX_KEY = 200;
/** Characters of lines after which a paragraph ends. */
const MAX_PARAGRAPH = 2 ** 20;
/** Characters of a list that stands in one line. */
const MAX_INLINE_LIST = 300;

/**
 * A JSON value as paragraphs of `path.to.key: value` lines, in the order of the source, so that every line can be
 * understood by itself. Flat objects of one shape become tables, and each other object of a list a paragraph.
 */
export async function* renderJson(value: unknown): AsyncGenerator<string> {
  const lines: string[] = [];
  let size = 0;
  for await (const part of walk(value, '', 0)) {
    if ('line' in part) {
      lines.push(part.line);
      size += part.line.length;
      if (size < MAX_PARAGRAPH) continue;
    }
    if (lines.length > 0) yield lines.splice(0).join('\n');
    size = 0;
    if ('line' in part) continue;
    if (part.paragraph) yield part.paragraph;
  }
  if (lines.length > 0) yield lines.join('\n');
}

/** A line joins those before it to a paragraph; a paragraph, also an empty one, stands alone. */
type Part = { line: string } | { paragraph: string };
const BREAK: Part = { paragraph: '' };

async function* walk(value: unknown, path: string, depth: number): AsyncGenerator<Part> {
  if (isScalar(value)) {
    yield scalarPart(scalarText(value), path);
  } else if (depth > MAX_DEPTH) {
    yield { line: labelled(path, [...leaves(value)].join(', ')) };
  } else if (Array.isArray(value)) {
    yield* walkList(value, path, depth);
  } else {
    yield* walkObject(value as Record<string, unknown>, path, depth);
  }
}

async function* walkObject(object: Record<string, unknown>, path: string, depth: number) {
  const entries = Object.entries(object);
  if (entries.length === 0) yield { line: labelled(path, '{}') };
  for (const [key, value] of entries) {
    // The sections of a whole document stand apart.
    const isSection = depth === 0 && !isScalar(value);
    if (isSection) yield BREAK;
    const isLong = key.length > MAX_KEY && !isScalar(value);
    // It is said once, and stands no more than cut before each line below it.
    if (isLong) yield { line: labelled(path, key) };
    const name = isLong ? `${key.slice(0, MAX_KEY).toWellFormed()}…` : key;
    yield* walk(value, path ? `${path}.${name}` : name, depth + 1);
    if (isSection) yield BREAK;
  }
}

async function* walkList(list: unknown[], path: string, depth: number): AsyncGenerator<Part> {
  const table = recordsToTable(list);
  if (table) {
    yield { paragraph: path && `${path}:` };
    for await (const group of rowsToMarkdown(table)) yield { paragraph: group };
  } else if (list.every(isInlineValue) && path) {
    yield* listLines(list.map(scalarText), path);
  } else {
    for (const [index, item] of list.entries()) {
      const isNamed = path || !isRecord(item);
      if (!isScalar(item)) yield BREAK;
      // The keys of a list of objects need no number before them: each object is a paragraph.
      yield* walk(item, isNamed ? `${path}[${index}]` : '', depth + 1);
      if (!isScalar(item)) yield BREAK;
    }
  }
}

function* listLines(items: string[], path: string): Generator<Part> {
  const inline = items.join(', ');
  if (inline.length <= MAX_INLINE_LIST) {
    yield { line: labelled(path, inline || '[]') };
    return;
  }
  yield { paragraph: [`${path}:`, ...items.map((item) => `- ${item}`)].join('\n') };
}

function scalarPart(text: string, path: string): Part {
  const isBlock = /[\n\r]/.test(text.trim());
  return isBlock ? { paragraph: path ? `${path}:\n${text}` : text } : { line: labelled(path, text) };
}

function labelled(path: string, text: string): string {
  return path ? `${path}: ${text}` : text;
}

/** The scalars in a value, however deep. */
function* leaves(value: unknown): Generator<string> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (isScalar(next)) yield scalarText(next);
    else for (const child of Object.values(next as object).reverse()) open.push(child);
  }
}
