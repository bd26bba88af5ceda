import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

export interface Pattern {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** Where patterns stand in a file of TypeScript. */
export interface Found {
  literals: Pattern[];
  /** Lines that name the class `RegExp`, other than as a type. */
  constructions: number[];
  /** Lines that hand a text to a method that makes a pattern of it. */
  texts: number[];
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const MAKE_PATTERNS = ['match', 'matchAll', 'search'];

/** The files of TypeScript below these folders, without tests. */
export function sourceFiles(folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test|\.d)\.ts$/.test(name))
      .map((name) => path.join(folder, name)),
  );
}

export function findPatterns(file: string, code = readFileSync(file, 'utf8')): Found {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Found = { literals: [], constructions: [], texts: [] };
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (isNode(node)) {
      if (node.type === 'TSTypeReference') continue;
      note(node, found, file, code);
    }
    open.push(...Object.values(node));
  }
  return found;
}

function note(node: Node, found: Found, file: string, code: string): void {
  const line = code.slice(0, node.start).split('\n').length;
  const regex = node.type === 'Literal' && (node.regex as { pattern: string; flags: string } | undefined);
  if (regex) found.literals.push({ file, line, source: regex.pattern, flags: regex.flags });
  if (node.type === 'Identifier' && node.name === 'RegExp') found.constructions.push(line);
  if (node.type === 'CallExpression' && makesPatternOfText(node)) found.texts.push(line);
}

function makesPatternOfText({ callee, arguments: given }: Node): boolean {
  const { property } = callee as { property?: { name?: string } };
  const [first] = given as Node[];
  const isText =
    first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string');
  return isText && MAKE_PATTERNS.includes(property?.name ?? '');
}

function isNode(value: object): value is Node {
  return typeof (value as Partial<Node>).type === 'string';
}
