import { readFileSync } from 'node:fs';

/** What happens to a block, by the words behind its fence. */
const KINDS: Record<string, BlockKind> = {
  sh: 'shell',
  'sh install': 'install',
  'sh manual': 'parsed',
  'sh docker': 'parsed',
  'sh kubernetes': 'parsed',
  'sh systemd': 'parsed',
  ts: 'program',
  js: 'program',
  sql: 'statement',
  json: 'output',
  text: 'output',
  python: 'output',
};
/** Before a block that is to be saved: "Save this as `ask.ts`". */
const FILE_NAME = /\b[Ss]ave\b[^`]*`([\w-]+\.m?[jt]s)`/;

/** A file is a program that the page has saved, and runs in its shell later. */
type BlockKind = 'shell' | 'install' | 'parsed' | 'program' | 'file' | 'statement' | 'output';

export interface Commands {
  page: string;
  /** Of the page, where the text begins. */
  line: number;
  text: string;
  /** The paragraph after it. */
  next: string;
  /** What the page shows before anything else is run. */
  output?: Block;
}

export interface Block extends Commands {
  kind: BlockKind;
  /** The first word of its fence. */
  language: string;
  /** As what the page has it saved. */
  fileName: string | undefined;
}

/** The blocks of a page, whose text may be changed. @throws Error for fences with unknown words */
export function readBlocks(page: string, change = (text: string) => text): Block[] {
  const lines = readFileSync(page, 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent, words] = /^( *)```(.*)$/.exec(lines[at]!) ?? [];
    if (indent === undefined || words === undefined) continue;
    const kind = KINDS[words];
    if (!kind) throw new Error(`${page}:${at + 1}: no block is marked \`\`\`${words}; see CONTRIBUTING.md.`);
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end.`);
    const indentation = new RegExp(`^ {0,${indent.length}}`);
    const text = lines.slice(at + 1, end).map((line) => line.replace(indentation, ''));
    const block = {
      page,
      kind,
      language: words.split(' ')[0]!,
      line: at + 2,
      text: change(`${text.join('\n')}\n`),
      fileName: FILE_NAME.exec(lines.slice(0, at).join('\n').trimEnd().split('\n\n').at(-1)!)?.[1],
      next: lines
        .slice(end + 1)
        .join('\n')
        .trimStart()
        .split('\n\n')[0]!,
    };
    const before = blocks.at(-1);
    if (kind === 'output' && before && before.kind !== 'output') before.output = block;
    blocks.push(block);
    at = end;
  }
  return blocks.map((block) => (isFile(block, blocks) ? { ...block, kind: 'file' } : block));
}

const isFile = ({ fileName, line }: Block, blocks: Block[]): boolean =>
  fileName !== undefined &&
  blocks.some((later) => later.kind === 'shell' && later.line > line && later.text.includes(fileName));

/** Text at its line of the page, so that what is said of a line holds for the page. */
export const atItsLine = ({ line, text }: Commands, first = ''): string =>
  first + '\n'.repeat(line - 1) + text;
