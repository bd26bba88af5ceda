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
};
/** The paragraph before a block that is to be saved: "Save this as `ask.ts`". */
const FILE_NAME = /\b[Ss]ave\b[^`]*`([\w-]+\.m?[jt]s)`/;

type BlockKind = 'shell' | 'install' | 'parsed' | 'program' | 'statement' | 'output';

export interface Commands {
  page: string;
  /** Of the page, where the text begins. */
  line: number;
  text: string;
  /** What the page shows right after it. */
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
    const text = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const block = {
      page,
      kind,
      language: words.split(' ')[0]!,
      line: at + 2,
      text: change(`${text.join('\n')}\n`),
      fileName: FILE_NAME.exec(paragraphBefore(lines, at))?.[1],
    };
    const before = blocks.at(-1);
    if (kind === 'output' && before && before.kind !== 'output') before.output = block;
    blocks.push(block);
    at = end;
  }
  return blocks;
}

function paragraphBefore(lines: string[], at: number): string {
  let end = at;
  while (lines[end - 1]?.trim() === '') end--;
  return lines.slice(lines.lastIndexOf('', end - 1) + 1, end).join('\n');
}

/** Text at its line of the page, so that what is said of a line holds for the page. */
export const atItsLine = ({ line, text }: Commands, first = ''): string =>
  first + '\n'.repeat(line - 1) + text;
