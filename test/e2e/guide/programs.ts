import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Block } from './read-blocks.js';

/** Before programs that import nothing, as the page says elsewhere. */
const client = (url: string) =>
  `import { createLectern } from 'lectern/client'; const lectern = createLectern({ url: '${url}', apiKey: process.env.LECTERN_KEY });`;
/** After each block, so that what the page has between them is done between them. */
const PAUSE = "await new Promise((go) => { process.once('message', go); process.send?.('done'); });";
const TSC =
  'node_modules/.bin/tsc --ignoreConfig --module nodenext --types node --skipLibCheck --inlineSourceMap';
const MOST_MS = 120_000;

const isComplete = ({ text }: Block) => /^import /m.test(text);

/** The blocks of each program: one that imports nothing goes on with the program before. */
export function groupPrograms(blocks: Block[]): Block[][] {
  const programs: Block[][] = [];
  for (const block of blocks) {
    if (programs.length > 0 && !isComplete(block)) programs.at(-1)!.push(block);
    else programs.push([block]);
  }
  return programs;
}

/** Each block at its lines of the page, as which the compiler and stack traces then name them. */
function joinBlocks(blocks: Block[], url: string): string {
  const lines = [isComplete(blocks[0]!) ? '' : client(url)];
  for (const { line, text } of blocks)
    for (const [at, one] of `${text}${PAUSE}`.split('\n').entries()) lines[line - 1 + at] = one;
  return lines.join('\n');
}

/** Compiles a program in a checkout, begins it, and runs it block by block. */
export async function startProgram(
  blocks: Block[],
  { folder, url, env }: { folder: string; url: string; env: NodeJS.ProcessEnv },
) {
  const file = path.join(folder, `${path.basename(blocks[0]!.page, '.md')}-${blocks[0]!.line}.ts`);
  writeFileSync(file, joinBlocks(blocks, url));
  const [command = '', ...args] = TSC.split(' ');
  await promisify(execFile)(command, [...args, file], { cwd: folder }).catch(({ stdout, stderr }) => {
    throw new Error(`${blocks[0]!.page}: a program does not compile\n${stdout}${stderr}`);
  });
  const execArgv = ['--enable-source-maps'];
  const child = fork(file.replace(/ts$/, 'js'), { cwd: folder, env, execArgv, silent: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  const ended = once(child, 'close').then(([status]) => status as number | null);

  return {
    /** @returns what the next block printed; @throws Error where it fails */
    async step({ page, line }: Block): Promise<string> {
      printed = '';
      const paused = once(child, 'message', { signal: AbortSignal.timeout(MOST_MS) }).then(() => 0);
      if (line !== blocks[0]!.line) child.send('go');
      const status = await Promise.race([paused, ended]).catch(() => 'did not end');
      if (status !== 0) throw new Error(`${page}:${line}: ${status}\n${printed}`);
      return printed;
    },
    async end(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}
