import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '../../support/wait-for.js';
import type { Block } from './read-blocks.js';

/** Before programs that import nothing, as the page says elsewhere. */
const client = (url: string) =>
  `import { createLectern } from 'lectern/client'; const lectern = createLectern({ url: '${url}', apiKey: process.env.LECTERN_KEY });`;
/** After each block, so that what the page has between them is done between them. */
const PAUSE = "await new Promise((go) => { process.once('message', go); process.send?.('done'); });";
const TSC =
  'node_modules/.bin/tsc --ignoreConfig --module nodenext --types node --skipLibCheck --inlineSourceMap';

/**
 * The programs of a page, compiled and run in its checkout. A block that imports nothing goes on with the program before, as
 * in one file.
 */
export function createPrograms(blocks: Block[], options: { folder: string; url: string }) {
  const programs = groupPrograms(blocks.filter(({ kind }) => kind === 'program'));
  const started: Awaited<ReturnType<typeof startProgram>>[] = [];
  return {
    /** @returns what the block printed; @throws Error where it fails */
    async run(block: Block, env: NodeJS.ProcessEnv): Promise<string> {
      if (block.language !== 'ts') throw new Error(`${block.page}:${block.line}: the page does not run it`);
      const program = programs.find(([first]) => first === block);
      if (program) started.push(await startProgram(program, { ...options, env }));
      return started.at(-1)!.step(block);
    },
    async end(): Promise<void> {
      await Promise.all(started.map((program) => program.end()));
    },
  };
}

function groupPrograms(blocks: Block[]): Block[][] {
  const programs: Block[][] = [];
  for (const block of blocks) {
    if (programs.length > 0 && !isComplete(block)) programs.at(-1)!.push(block);
    else programs.push([block]);
  }
  return programs;
}

const isComplete = ({ text }: Block) => /^import /m.test(text);

/** Compiles a program and begins it. */
async function startProgram(
  blocks: Block[],
  { folder, url, env }: { folder: string; url: string; env: NodeJS.ProcessEnv },
) {
  const file = path.join(folder, `${path.basename(blocks[0]!.page, '.md')}-${blocks[0]!.line}.ts`);
  writeFileSync(file, joinBlocks(blocks, url));
  const [command = '', ...args] = TSC.split(' ');
  await promisify(execFile)(command, [...args, file], { cwd: folder }).catch(({ stdout, stderr }) => {
    throw new Error(`${blocks[0]!.page}: a program does not compile\n${stdout}${stderr}`);
  });
  const output = `${file}.out`;
  const descriptor = openSync(output, 'a');
  const child = fork(file.replace(/ts$/, 'js'), {
    cwd: folder,
    env,
    execArgv: ['--enable-source-maps'],
    // Not pipes, which might have less than all when the program says that it is done.
    stdio: ['ignore', descriptor, descriptor, 'ipc'],
  });
  closeSync(descriptor);
  const ended = once(child, 'exit');
  let isDone = false;
  child.on('message', () => {
    isDone = true;
  });

  return {
    /** @returns what the next block printed; @throws Error where it fails */
    async step({ page, line }: Block): Promise<string> {
      isDone = false;
      const before = statSync(output).size;
      if (line !== blocks[0]!.line) child.send('go');
      const what = `${page}:${line} to end`;
      const status = await waitFor(() => (isDone ? 0 : (child.exitCode ?? child.signalCode)), { what });
      const printed = readFileSync(output).subarray(before).toString();
      if (status !== 0) throw new Error(`${page}:${line}: ended with status ${status}\n${printed}`);
      return printed;
    },
    async end(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

/** Each block at its lines of the page, as which the compiler and stack traces then name them. */
function joinBlocks(blocks: Block[], url: string): string {
  const lines = [isComplete(blocks[0]!) ? '' : client(url)];
  for (const { line, text } of blocks)
    for (const [at, one] of `${text}${PAUSE}`.split('\n').entries()) lines[line - 1 + at] = one;
  return lines.join('\n');
}
